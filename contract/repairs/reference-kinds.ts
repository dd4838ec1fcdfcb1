import { kindAt, type ObjectKind, type PlacedObject } from '../document/object-kinds.ts';
import { followed, localPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { innerObjects } from '../document/inner-objects.ts';

/** What a reference to a component of another kind is read as. */
export interface ReadKind {
  readonly kind: string;
  readonly wrong: string;
  readonly read: string;
}

/**
 * Replaces a reference to a component of another kind by what its author means: a schema is the JSON of a response or a
 * request body, and these two have their content in the same form, as a header and a parameter have their schema.
 *
 * @param root the file of the reference
 * @returns `undefined` if there is nothing to replace
 */
export function repairReferenceKind(root: unknown, { kind, value }: PlacedObject): ReadKind | undefined {
  const text = value['$ref'];
  const local = typeof text === 'string' ? localPointer(text) : undefined;
  const given = local === undefined ? undefined : kindAt(local);
  if (given === undefined || given === kind) return undefined;
  const members =
    given === 'schema' && (kind === 'response' || kind === 'request body')
      ? { content: { 'application/json': { schema: { $ref: text } } } }
      : membersOf(followed(root, value), given, kind);
  // A part around the reference would make a document without an end.
  if (members === undefined || innerObjects(members).has(value)) return undefined;
  delete value['$ref'];
  if (kind === 'response') value['description'] ??= '';
  Object.assign(value, members);
  return {
    kind: `a ${kind} that refers to a ${given}`,
    wrong: `$ref points to a ${given}, not to a ${kind}: ${String(text)}`,
    read:
      given === 'schema'
        ? 'the schema of application/json'
        : `a ${kind} with its ${Object.keys(members).join(', ')}`,
  };
}

// --- internal ---

const CONTENT = ['description', 'content'];

/** What a kind takes from another. */
const TAKEN: readonly (readonly [kind: ObjectKind, given: ObjectKind, members: readonly string[]])[] = [
  ['response', 'request body', CONTENT],
  ['request body', 'response', CONTENT],
  ['header', 'parameter', ['description', 'required', 'deprecated', 'schema', 'content']],
];

function membersOf(target: unknown, given: ObjectKind, kind: ObjectKind): object | undefined {
  const taken = TAKEN.find((each) => each[0] === kind && each[1] === given)?.[2];
  if (taken === undefined || !isRecord(target)) return undefined;
  // Not copied: the references in it can have new targets already.
  return Object.fromEntries(Object.entries(target).filter(([name]) => taken.includes(name)));
}
