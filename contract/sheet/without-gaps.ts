/** Removes members without a value, because people read the printed result. */
export function withoutGaps<Whole extends object>(members: {
  [Name in keyof Whole]: Whole[Name] | undefined;
}): Whole {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Whole;
}
