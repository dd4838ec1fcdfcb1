/**
 * The pattern with non-capturing groups: the captures are never used, and capturing takes time. A pattern
 * with back references stays unchanged.
 */
export function withoutCaptures(pattern: string): string {
  if (/\\[1-9k]/.test(pattern)) return pattern;
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]?|\((?!\?)/gsu, (piece) => (piece === '(' ? '(?:' : piece));
}
