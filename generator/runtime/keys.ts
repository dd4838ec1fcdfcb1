/** A UUID of version 4. Not by `crypto.randomUUID`: pages that came over plain HTTP from another machine lack it. */
export function randomKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(31));
  let at = 0;
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (digit) => {
    const value = (random[at++] ?? 0) & 15;
    return (digit === 'x' ? value : (value & 3) | 8).toString(16);
  });
}
