/**
 * A key of the same length with another end. Only letters and digits change, because a server can accept all keys of a
 * form.
 */
export function withOtherEnd(key: string): string {
  return key.replace(/[a-z\d]{1,3}$/i, (end) => end.replace(/./g, (one) => (one === 'q' ? 'w' : 'q')));
}
