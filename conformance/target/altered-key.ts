/** A key with another last character. No more is changed, because a server can accept all keys with a beginning. */
export function withOtherEnd(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('q') ? 'w' : 'q'}`;
}
