/** The parameters and the body of a call by the names of their members. */
export type Input = Readonly<Record<string, unknown>>;

/** Names come from documents and can be `constructor`. */
export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
