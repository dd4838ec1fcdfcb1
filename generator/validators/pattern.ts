/**
 * The pattern with groups that remember nothing: what they matched is never asked for, and remembering takes time. One that
 * refers to its own groups stays as it is.
 */
export function withoutCaptures(pattern: string): string {
  if (/\\[1-9k]/.test(pattern)) return pattern;
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]?|\((?!\?)/gsu, (piece) => (piece === '(' ? '(?:' : piece));
}
