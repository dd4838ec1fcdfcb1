/** Whether a request is sent as a caller with a credential that the server accepts. */
export function isUsable<As extends string>(as: As): as is Exclude<As, 'none' | 'unusable'> {
  return as !== 'none' && as !== 'unusable';
}
