/**
 * A UUID of version 4. `crypto.randomUUID` is missing from pages that were loaded over plain HTTP from another
 * machine.
 */
export function randomKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(31));
  let at = 0;
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (digit) => {
    const value = (random[at++] ?? 0) & 15;
    return (digit === 'x' ? value : (value & 3) | 8).toString(16);
  });
}
