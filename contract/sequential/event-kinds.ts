import { isJson } from '../judge/body-format.ts';
import type { Document, Json, Schema } from '../model.ts';
import { isRecord } from '../record.ts';
import { wireType } from '../schemas/wire-type.ts';
import { alternativesOf, followedSchema, type Together } from './alternatives.ts';
import type { PieceKind } from './piece-kind.ts';

/** The kinds of the events of a stream, or why they cannot be told. */
interface EventKinds {
  readonly kinds: readonly PieceKind[];
  readonly unread?: string;
}

/**
 * The kinds of events by the schema of an event, or of its data. A schema that has `data`, and no members but those of
 * an event, is one of an event; outside of a list, it has to have `event` too.
 */
export function eventKinds(
  schema: Schema | undefined,
  { document, isItem }: { readonly document: Document; readonly isItem: boolean },
): EventKinds {
  // Such a schema describes the text of the whole stream.
  if (schema === undefined || (!isItem && isTextAlone(schema, document))) return { kinds: [] };
  const data = (): EventKinds => ({
    kinds: [isTextAlone(schema, document) ? { form: 'text', schema } : { form: 'json', schema }],
  });
  const alternatives = alternativesOf(schema, document);
  if (alternatives === undefined || alternatives.length === 0) return data();
  const needed = isItem ? ['data'] : ['event', 'data'];
  const isEvent = (together: Together): boolean => {
    const names = new Set(
      together.flatMap(({ properties }) => Object.keys(isRecord(properties) ? properties : {})),
    );
    return needed.every((name) => names.has(name)) && [...names].every((name) => OF_EVENTS.has(name));
  };
  if (!alternatives.every(isEvent)) return data();
  const kinds = alternatives.map((together) => kindOf(together, document));
  const clash = kinds.find((one) =>
    kinds.some((other) => one.form !== other.form && haveNameInCommon(one, other)),
  );
  if (clash !== undefined)
    return {
      kinds: [],
      unread: 'has events with the same name whose data is text in one and JSON in another',
    };
  return { kinds: isItem ? kinds : kinds.map((kind) => ({ ...kind, asData: schema })) };
}

/** Whether every value of a schema is a text. */
export function isTextAlone(schema: Schema, document: Document): boolean {
  const { kinds } = wireType(schema, document, 3, { kinds: ['null'] });
  return kinds.length > 0 && kinds.every((kind) => kind === 'string');
}

/** Whether a value looks like an event: it has `data`, and no members but those of an event. */
export function isEventShape(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && 'data' in value && Object.keys(value).every((name) => OF_EVENTS.has(name));
}

/** The schema of the JSON in a text; `undefined` if the text is not JSON. */
export function jsonIn(schema: Schema, document: Document): Schema | undefined {
  const found = followedSchema(schema, document);
  if (!isRecord(found)) return undefined;
  const { contentMediaType, contentSchema, contentEncoding } = found;
  if (contentEncoding !== undefined) return undefined;
  const isJsonText = contentMediaType === undefined || isJson(String(contentMediaType));
  if (contentSchema !== undefined) return isJsonText ? (contentSchema as Schema) : undefined;
  return typeof contentMediaType === 'string' && isJsonText ? true : undefined;
}

// --- internal ---

const OF_EVENTS: ReadonlySet<string> = new Set(['event', 'data', 'id', 'retry', 'comment']);

function kindOf(together: Together, document: Document): PieceKind {
  const members = (name: string): readonly Schema[] =>
    together.flatMap(({ properties }) =>
      isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name] as Schema] : [],
    );
  const data = members('data');
  const isNamed = together.some(({ required }) => Array.isArray(required) && required.includes('event'));
  const names = namesIn(members('event'), document);
  const named = names === undefined ? {} : { names: isNamed ? names : [...new Set([...names, 'message'])] };
  const inner = data.map((schema) => jsonIn(schema, document)).find((schema) => schema !== undefined);
  if (inner !== undefined) return { form: 'json', schema: inner, ...named };
  const schema = data.length < 2 ? data[0] : { allOf: data as Json[] };
  const isText = data.some((one) => isTextAlone(one, document));
  return { form: isText ? 'text' : 'json', schema, ...named };
}

/** The names that every schema of `event` allows; `undefined` if any is allowed. */
function namesIn(schemas: readonly Schema[], document: Document): readonly string[] | undefined {
  const lists = schemas.flatMap((schema) => {
    const found = followedSchema(schema, document);
    if (!isRecord(found)) return [];
    const { const: only, enum: values } = found;
    const listed: readonly unknown[] = only === undefined ? (Array.isArray(values) ? values : []) : [only];
    const texts = listed.filter((value) => typeof value === 'string');
    return texts.length === 0 || texts.length < listed.length ? [] : [texts];
  });
  const [first, ...others] = lists;
  return first?.filter((name) => others.every((other) => other.includes(name)));
}

function haveNameInCommon(one: PieceKind, other: PieceKind): boolean {
  if (one.names === undefined || other.names === undefined) return true;
  return one.names.some((name) => other.names?.includes(name));
}
