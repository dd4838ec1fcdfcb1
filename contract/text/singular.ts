/** The singular of an English noun, as the names of collections and members have it: `entries` is `entry`. */
export function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}
