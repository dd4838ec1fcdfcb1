import type { PlacedObject } from '../object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
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
  repairNumbers(responses, pointer, repaired);
  repairBodiless(responses, pointer, repaired);
}

/** A response has a description. */
export function repairResponse({ value, pointer }: PlacedObject, repaired: Repaired): void {
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
  const names = Object.keys(responses).map((status) => [status, statusOf(status)] as const);
  if (names.every(([given, read]) => given === read)) return;
  if (new Set(names.map(([, read]) => read)).size < names.length) return;
  const entries = names.map(([given, read]) => [read, responses[given]] as const);
  for (const [given] of names) Reflect.deleteProperty(responses, given);
  for (const [read, response] of entries) responses[read] = response;
  for (const [given, read] of names)
    if (given !== read) {
      const at = joinPointer(pointer, given);
      repaired({
        kind: 'the form of a status',
        pointer: at,
        wrong: `${given} is not a status`,
        read,
        part: 'name',
        renamedTo: joinPointer(pointer, read),
      });
    }
}

function statusOf(text: string): string {
  if (/^[1-5][0-9x]x$/i.test(text)) return `${text.charAt(0)}XX`;
  if (/^default$/i.test(text)) return 'default';
  // With its reason, as in the status line of HTTP/1.1.
  return /^([1-5]\d\d)[ \t:-]/.exec(text.trim())?.[1] ?? text;
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
