import { decoded } from '../../contract/text/decoded.ts';
/** A path of a document, to recognise the requests that it describes. */
export interface PathTemplate {
  /** How many of its segments are fixed text. */
  readonly fixed: number;
  /** Whether a request with these segments can be for this path; one with a placeholder stands for any number. */
  readonly matches: (segments: readonly string[]) => boolean;
}

/** The path of an operation, without a query or a fragment that some documents write into it. */
export function templateOf(path: string): PathTemplate {
  const own = segmentsOf(path);
  return {
    fixed: own.filter((segment) => !isOpen(segment)).length,
    matches: (segments) => fits(own, segments),
  };
}

/** The segments of a target, also of a planned one with placeholders such as `/pets/{petId}{?query}`. */
export function requestedPath(target: string): readonly string[] {
  return segmentsOf(target);
}

// --- internal ---

/** Servers may ignore a slash at the end, two in a row, and the case: so does the comparison. */
function segmentsOf(target: string): readonly string[] {
  const [path = ''] = target.split(/[?#]|\{\?/);
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decoded(segment).toLowerCase());
}

function isOpen(segment: string): boolean {
  return segment.includes('{');
}

/**
 * Compares from the left, and keeps the numbers of segments of the path that the request so far can have used: a table
 * of two short lists, for any placeholders.
 */
function fits(own: readonly string[], asked: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const segment of asked) {
    const next = new Set<number>();
    for (const at of reached) {
      if (isOpen(segment)) for (let end = at + 1; end <= own.length; end += 1) next.add(end);
      else if (at < own.length && (isOpen(own[at] ?? '') || own[at] === segment)) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(own.length);
}
