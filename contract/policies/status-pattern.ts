/** A status number, or a class of them such as `5xx`. */
export type StatusPattern = number | `${1 | 2 | 3 | 4 | 5}xx`;

/** Whether a status is one of the patterns. */
export function matchesStatus(patterns: readonly StatusPattern[], status: number): boolean {
  return patterns.some((pattern) =>
    typeof pattern === 'number' ? pattern === status : pattern === `${Math.floor(status / 100)}xx`,
  );
}
