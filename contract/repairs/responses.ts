import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Repaired } from './repair-list.ts';
import { readType } from './type-names.ts';

/** Repairs slips in the answers of an operation. */
export function repairResponses(
  responses: Record<string, unknown>,
  pointer: string,
  repaired: Repaired,
): void {
  if (typeof responses['description'] === 'string') {
    delete responses['description'];
    repaired({
      kind: 'a description in responses',
      pointer: joinPointer(pointer, 'description'),
      wrong: 'description is not a status',
      read: 'absent',
      part: 'name',
    });
  }
  repairTexts(responses, pointer, repaired);
  repairSeveral(responses, pointer, repaired);
  repairStatuses(responses, pointer, repaired);
  repairWords(responses, pointer, repaired);
  repairNumbers(responses, pointer, repaired);
  repairBodiless(responses, pointer, repaired);
}

/** A response has a description. */
export function repairResponse({ value, pointer }: PlacedObject, repaired: Repaired): void {
  repairSchema(value, pointer, repaired);
  if (Object.hasOwn(value, 'description')) return;
  value['description'] = '';
  const wrong = 'the response has no description';
  repaired({
    kind: 'a response without a description',
    pointer,
    wrong,
    read: 'an empty description',
    part: 'name',
  });
}

/** `X-Total: integer`: the name of a type instead of a header. */
export function repairHeaderTypes({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { headers } = value;
  for (const [name, given] of isRecord(headers) ? Object.entries(headers) : []) {
    const schema = typeof given === 'string' ? readType(given) : undefined;
    if (schema === undefined) continue;
    (headers as Record<string, unknown>)[name] = { schema };
    repaired({
      kind: 'the name of a type as a header',
      pointer: joinPointer(pointer, 'headers', name),
      wrong: `the header ${name} is ${JSON.stringify(given)}`,
      read: JSON.stringify({ schema }),
    });
  }
}

// --- internal ---

/** In Swagger 2.0, a response has its schema beside its description. */
function repairSchema(value: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  const { schema, content } = value;
  if (!isRecord(schema) || content !== undefined) return;
  delete value['schema'];
  value['content'] = { 'application/json': { schema } };
  const moved = joinPointer(pointer, 'content', 'application/json', 'schema');
  repaired({
    kind: 'a schema beside the description of a response',
    pointer: joinPointer(pointer, 'schema'),
    wrong: 'the response has a schema without a media type',
    read: 'application/json',
    part: 'name',
    renamedTo: moved,
  });
}

/** In HTTP these answers have no body. */
function repairBodiless(responses: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  for (const status of ['204', '205', '304']) {
    const response = responses[status];
    if (!isRecord(response) || !isRecord(response['content'])) continue;
    if (Object.keys(response['content']).length === 0) continue;
    const at = joinPointer(pointer, status, 'content');
    delete response['content'];
    repaired({
      kind: 'content of an answer that has none',
      pointer: at,
      wrong: `an answer with status ${status} has no body`,
      read: 'absent',
      part: 'name',
    });
  }
}

/** `'200': ok` is a response with this description. */
function repairTexts(responses: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  for (const [status, description] of Object.entries(responses)) {
    if (typeof description !== 'string' || !STATUS.test(status)) continue;
    responses[status] = { description };
    repaired({
      kind: 'a response that is a text',
      pointer: joinPointer(pointer, status),
      wrong: `the response ${status} is a string`,
      read: 'its description',
    });
  }
}

/** `200, 201` and `200/201`: one response for several statuses. */
function repairSeveral(responses: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  for (const given of Object.keys(responses)) {
    const statuses = given.split(/[,/|]|\bor\b/).map((status) => status.trim());
    if (statuses.length < 2 || !statuses.every((status) => STATUS.test(status))) continue;
    if (statuses.some((status) => Object.hasOwn(responses, status))) continue;
    for (const status of statuses) responses[status] = responses[given];
    Reflect.deleteProperty(responses, given);
    repaired({
      kind: 'several statuses for one response',
      pointer: joinPointer(pointer, given),
      wrong: `${JSON.stringify(given)} is not a status`,
      read: statuses.join(' and '),
      part: 'name',
      renamedTo: joinPointer(pointer, statuses[0] ?? ''),
    });
  }
}

const STATUS = /^(?:[1-5](?:\d\d|xx)|default)$/i;

function repairStatuses(responses: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  const given = Object.keys(responses);
  const taken = new Set(given.filter((status) => statusOf(status) === status));
  const names = given.map((status) => {
    const read = statusOf(status);
    if (read === status || taken.has(read)) return [status, status] as const;
    taken.add(read);
    return [status, read] as const;
  });
  if (names.every(([status, read]) => status === read)) return;
  const entries = names.map(([status, read]) => [read, responses[status]] as const);
  for (const status of given) Reflect.deleteProperty(responses, status);
  for (const [read, response] of entries) responses[read] = response;
  for (const [status, read] of names)
    if (status !== read) {
      const at = joinPointer(pointer, status);
      repaired({
        kind: 'the form of a status',
        pointer: at,
        wrong: `${JSON.stringify(status)} is not a status`,
        read,
        part: 'name',
        renamedTo: joinPointer(pointer, read),
      });
    }
}

/** Words in the place of statuses. No answer has them, so beside statuses they mean nothing. */
function repairWords(responses: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  for (const word of Object.keys(responses)) {
    if (STATUS.test(word) || word.startsWith('x-') || word === '$ref' || /\d/.test(word)) continue;
    // A misspelt `default` is for its author to correct.
    if (suggest(word, ['default']) !== undefined) continue;
    const meant = WORDS.find(([pattern, , instead]) => {
      const isFree = !Object.keys(responses).some((status) => instead.test(status));
      return pattern.test(word) && isFree;
    })?.[1];
    if (meant !== undefined) responses[meant] = responses[word];
    Reflect.deleteProperty(responses, word);
    repaired({
      kind: 'a word that is not a status',
      pointer: joinPointer(pointer, word),
      wrong: `${JSON.stringify(word)} is not a status`,
      read: meant ?? 'absent',
      part: 'name',
      ...(meant === undefined ? {} : { renamedTo: joinPointer(pointer, meant) }),
    });
  }
}

/** A word, the statuses that it means, and those that the document must not have. */
const WORDS: readonly (readonly [pattern: RegExp, read: string, instead: RegExp])[] = [
  [/^(?:ok|success|successful)$/i, '2XX', /^(?:2|default)/i],
  [/^(?:error|errors|failure|fail)$/i, 'default', /^default/i],
];

function statusOf(text: string): string {
  if (/^[1-5][0-9x]x$/i.test(text)) return `${text.charAt(0)}XX`;
  if (/^default$/i.test(text)) return 'default';
  // With its reason, as in the status line of HTTP/1.1.
  return /^([1-5]\d\d)(?:[ \t:-]|$)/.exec(text.trim())?.[1] ?? text;
}

/** Numbers that no answer of HTTP can have, such as the codes of the document's own errors. */
function repairNumbers(responses: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  for (const status of Object.keys(responses)) {
    if (!/^\d+$/.test(status) || STATUS.test(status)) continue;
    Reflect.deleteProperty(responses, status);
    repaired({
      kind: 'a number that is not a status',
      pointer: joinPointer(pointer, status),
      wrong: `${status} is not a status`,
      read: 'absent',
      part: 'name',
    });
  }
}
