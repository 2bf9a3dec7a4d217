// Paths on a GraphQL platform, as a field's `from` writes them:
//
//   title                       labels.nodes                stateReason(enableDuplicate: true)
//   target<Tag>.target<Commit>  <Issue|PullRequest>.state   issues(states: OPEN).totalCount

export interface PathStep {
  readonly name: string;
  /** Text between the parentheses, "" where there are none. */
  readonly args: string;
  /** The value is narrowed to this type. */
  readonly narrow: string | undefined;
}

export interface PlatformPath {
  /** The record itself is narrowed to this type. */
  readonly lead: string | undefined;
  readonly steps: readonly PathStep[];
}

const stepPattern = /^([A-Za-z_]\w*)(?:\(([^()]*)\))?(?:<([\w|]+)>)?$/;

/** One path per alternative, or undefined when the text is not a path. */
export function parsePlatformPath(text: string): PlatformPath[] | undefined {
  const [lead, rest] = splitLead(text);
  const parts = splitSteps(rest);
  let variants: PathStep[][] = [[]];
  for (const part of parts) {
    const match = stepPattern.exec(part);
    if (match === null) return undefined;
    const narrows = match[3]?.split("|") ?? [undefined];
    const name = match[1] ?? "";
    variants = variants.flatMap((steps) => narrows.map((narrow) => [...steps, { name, args: match[2] ?? "", narrow }]));
  }
  return lead.flatMap((one) => variants.map((steps) => ({ lead: one, steps })));
}

function splitLead(text: string): [lead: (string | undefined)[], rest: string] {
  const match = /^<([\w|]+)>\.(.*)$/s.exec(text);
  return match === null ? [[undefined], text] : [(match[1] ?? "").split("|"), match[2] ?? ""];
}

/** Splits at dots that are not inside parentheses. */
function splitSteps(text: string): string[] {
  return text.split(/\.(?![^()]*\))/);
}
