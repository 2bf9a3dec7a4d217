// Runs before the page is drawn, so that it appears in the reader's theme at once.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
document.documentElement.classList.add("js");
