/** Makes an element. Properties are set, other names become attributes. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name in element && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value);
  element.append(...children);
  return element;
}
