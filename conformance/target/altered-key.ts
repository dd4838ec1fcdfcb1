/** A key of the same length with a different end. */
export function withOtherEnd(key: string): string {
  return key.slice(0, -3) + key.slice(-3).replace(/./g, (one) => (one === 'q' ? 'w' : 'q'));
}
