/** A member of the fixtures file: its meaning and an example line. */
export interface FixtureShape {
  readonly type: 'text' | 'texts' | 'secret' | 'number' | 'flag' | 'json' | 'occasions' | 'choice' | 'group';
  readonly about: string;
  /** The content of the fixtures line that a report asks for. */
  readonly example: unknown;
  /** For `group`. */
  readonly members: Readonly<Record<string, FixtureShape>>;
  /** Members that are required if the group is present; for `choice` the allowed values. */
  readonly required: readonly string[];
  /** For `group`: members of which exactly one is required. */
  readonly oneOf?: readonly string[];
}

export const leaf = (
  type: Exclude<FixtureShape['type'], 'group'>,
  about: string,
  example: unknown,
  required: readonly string[] = [],
): FixtureShape => ({ type, about, example, members: {}, required });

export const group = (
  about: string,
  members: Readonly<Record<string, FixtureShape>>,
  required: readonly string[] = [],
  example: unknown = undefined,
): FixtureShape => ({ type: 'group', about, members, required, example });
