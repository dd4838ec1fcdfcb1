import { policyFor } from '../../../contract/index.ts';
import { followed, localPointer } from '../../../contract/pointer.ts';
import { contentFor } from '../../../contract/judge/bodies.ts';
import { isObject, member, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { readEvents } from '../../http/event-stream.ts';
import type { StreamEvent } from '../../http/event-stream.ts';
import type { OwnApi } from '../own-api.ts';
import { responseFor } from '../own-api.ts';

/** A resource in an answer. */
export interface ShownResource {
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether it is the whole answer, and not an item of a list or a member. */
  readonly isWhole: boolean;
  /** Where in the answer it is, by the names of members; empty for the whole of it. */
  readonly place: string;
  /** For a resource in an event of a stream, which other answers may overtake. */
  readonly isInEvent?: true;
}

/** The values in a successful answer that the document describes by a component. */
export function resourcesIn(api: OwnApi, exchange: Exchange, component: string): readonly ShownResource[] {
  const operation = api.operation(exchange.operation ?? '');
  if (operation === undefined || exchange.status < 200 || exchange.status > 299) return [];
  const type = exchange.header('content-type');
  const stream = policyFor(operation, 'event-stream');
  if (stream !== undefined) return stream.thing === component ? thingsIn(exchange, stream.events.status) : [];
  const content = contentFor(responseFor(operation, exchange.status)?.content ?? [], type);
  if (content?.schema === undefined || !/json/i.test(type ?? '')) return [];
  const found: ShownResource[] = [];
  let left = MOST_PLACES;
  const walk = (schema: unknown, value: unknown, depth: number, place = ''): void => {
    left -= 1;
    if (!isObject(schema) || depth > DEEPEST || left < 0) return;
    const { $ref: reference, items, properties } = schema;
    if (typeof reference === 'string') {
      const isOne = localPointer(reference) === `/components/schemas/${component}`;
      if (isOne && isObject(value) && !found.some((one) => one.value === value))
        found.push({ value, isWhole: value === exchange.json, place });
      walk(followed(api.root, schema), value, depth + 1, place);
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      if (Array.isArray(schema[keyword]))
        for (const part of schema[keyword] as unknown[]) walk(part, value, depth + 1, place);
    if (Array.isArray(value)) for (const item of value as unknown[]) walk(items, item, depth + 1, place);
    if (isObject(value) && isObject(properties))
      for (const [name, inner] of Object.entries(properties))
        if (Object.hasOwn(value, name)) walk(inner, member(value, name), depth + 1, `${place}/${name}`);
  };
  walk(content.schema, exchange.json, 0);
  return found;
}

/** The name of an event, as readers see it: one without a name is a message. */
export function kindOf({ name }: Pick<StreamEvent, 'name'>): string {
  return name === '' ? 'message' : name;
}

// --- internal ---

/** The resources in the events with a state. */
function thingsIn({ answer }: Exchange, name: string): readonly ShownResource[] {
  return readEvents(new TextDecoder().decode(answer?.body), 0)
    .filter((event) => kindOf(event) === name)
    .map(({ data }) => parseJson(data))
    .filter(isObject)
    .map((value) => ({ value, isWhole: true, place: '', isInEvent: true }));
}

const MOST_PLACES = 5000;
const DEEPEST = 12;
