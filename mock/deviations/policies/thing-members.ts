import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract, Json, JsonObject, MediaType } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { mayLack, propertiesOf } from '../../../contract/schemas/schema-parts.ts';

/** Members of things that can have any text. */
export function plainMembers(
  contract: Contract,
  { id, operations }: PolicyOf<'resource'>,
): readonly string[] {
  const { root } = contract.document;
  const sent = sentBy(contract, operations.create ?? operations.replace).flatMap(({ schema }) =>
    propertiesOf(schema, root).map(([name]) => name),
  );
  return shownMembers(contract, operations).flatMap(
    ([name, { type, format, enum: values, pattern, const: only, readOnly }]) => {
      // What no caller sends has no right value.
      const isSent = sent.length === 0 || sent.includes(name);
      const isText = [type].flat().includes('string');
      const isPlain = isSent && isText && readOnly !== true && name !== id.member;
      return isPlain && [format, values, pattern, only].every((one) => one === undefined) ? [name] : [];
    },
  );
}

/** Whether an operation takes a long text by its own bound, at one of the members. */
export function takesLongText(contract: Contract, id: string, members: readonly string[]): boolean {
  const { root } = contract.document;
  return sentBy(contract, id)
    .flatMap(({ schema }) => propertiesOf(schema, root))
    .filter(([name]) => members.includes(name))
    .map(([, schema]): Partial<JsonObject> => followed(root, schema) as Partial<JsonObject>)
    .some(
      ({ type, format, pattern, enum: values, maxLength: most }) =>
        type === 'string' &&
        [format, pattern, values].every((one) => one === undefined) &&
        typeof most === 'number' &&
        most >= LONG &&
        most <= LONGEST,
    );
}

const LONG = 40;
const LONGEST = 5000;

/** Members with the time of creation. */
export function creationTimes(contract: Contract, { operations }: PolicyOf<'resource'>): readonly string[] {
  return shownMembers(contract, operations).flatMap(([name, { format }]) =>
    format === 'date-time' && /^creat(?:ed|ion)(?:_?(?:at|on|time|date))?$/i.test(name) ? [name] : [],
  );
}

/** A member with a default. */
export interface DefaultMember {
  readonly name: string;
  readonly value: Json;
  /** Another value of the same type. */
  readonly other: Json;
}

/** Members with a default of which another value is known. */
export function defaultMembers(
  contract: Contract,
  { operations }: PolicyOf<'resource'>,
): readonly DefaultMember[] {
  const { root } = contract.document;
  const shown = shownMembers(contract, operations).map(([name]) => name);
  const content = sentBy(contract, operations.create);
  return content
    .flatMap(({ schema }) => propertiesOf(schema, root))
    .flatMap(([name, schema]): readonly DefaultMember[] => {
      const { default: value, enum: values } = followed(root, schema) as Partial<JsonObject>;
      if (value === undefined || !shown.includes(name)) return [];
      const listed = Array.isArray(values) ? (values as readonly Json[]) : [];
      const other = typeof value === 'boolean' ? !value : listed.find((one) => one !== value && one !== null);
      return other === undefined ? [] : [{ name, value, other }];
    });
}

/** Whether a replacement can leave out a member: an open body can, and one with an optional member. */
export function maySkip(contract: Contract, { operations }: PolicyOf<'resource'>): boolean {
  const { root } = contract.document;
  const content = sentBy(contract, operations.replace);
  return content.some(({ schema }) => {
    const members = propertiesOf(schema, root);
    return members.length === 0 || members.some(([name]) => mayLack(schema, name, root));
  });
}

/** Whether a patch can set a member to null: an open body can, and one with a member that may be null. */
export function takesNull(contract: Contract, { operations }: PolicyOf<'resource'>): boolean {
  const { root } = contract.document;
  const content = sentBy(contract, operations.patch);
  const members = content.flatMap(({ schema }) => propertiesOf(schema, root));
  return (
    members.length === 0 ||
    members.some(([, schema]) => {
      const { type, nullable } = followed(root, schema) as Partial<JsonObject>;
      return type === undefined || nullable === true || [type].flat().includes('null');
    })
  );
}

// --- internal ---

/** The media types of the body of an operation. */
function sentBy(contract: Contract, operation: string | undefined): readonly MediaType[] {
  return contract.operations.find(({ id }) => id === operation)?.requestBody?.content ?? [];
}

function shownMembers(
  { operations, document: { root } }: Contract,
  { read, create }: PolicyOf<'resource'>['operations'],
): readonly (readonly [string, Partial<JsonObject>])[] {
  return operations
    .filter(({ id }) => id === (read ?? create))
    .flatMap(({ responses }) => responses.filter(({ status }) => status.startsWith('2')))
    .flatMap(({ content }) => content.flatMap(({ schema }) => propertiesOf(schema, root)))
    .map(([name, schema]) => [name, followed(root, schema) as Partial<JsonObject>] as const);
}
