import { httpMethods } from '../document/item-operations.ts';
import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';
import { repairResponses } from './responses.ts';

/** Methods are written in lower case. */
export function repairMethods({ value, pointer }: PlacedObject, repaired: Repaired): void {
  for (const given of Object.keys(value)) {
    const read = given.toLowerCase();
    if (read === given || !METHODS.has(read) || Object.hasOwn(value, read)) continue;
    value[read] = value[given];
    Reflect.deleteProperty(value, given);
    repaired({
      kind: 'the case of a method',
      pointer: joinPointer(pointer, given),
      wrong: `${given} is not a method`,
      read,
      part: 'name',
      renamedTo: joinPointer(pointer, read),
    });
  }
}

/** An operation has responses, and each tag once. */
export function repairOperation({ value, pointer }: PlacedObject, repaired: Repaired): void {
  if (isRecord(value['response']) && !Object.hasOwn(value, 'responses')) {
    value['responses'] = value['response'];
    delete value['response'];
    repaired({
      kind: 'responses in the singular',
      pointer: joinPointer(pointer, 'response'),
      wrong: 'an operation has no member response',
      read: 'responses',
      part: 'name',
      renamedTo: joinPointer(pointer, 'responses'),
    });
  }
  const { responses } = value;
  if (isRecord(responses)) repairResponses(responses, joinPointer(pointer, 'responses'), repaired);
  if (!isRecord(responses) ? responses === undefined : Object.keys(responses).length === 0) {
    value['responses'] = { default: { description: '' } };
    const wrong = 'the operation has no responses';
    repaired({
      kind: 'an operation without responses',
      pointer,
      wrong,
      read: 'any response, by `default`',
      part: 'name',
    });
  }
  const tags = value['tags'];
  if (Array.isArray(tags) && new Set(tags).size < tags.length) {
    value['tags'] = [...new Set<unknown>(tags)];
    const at = joinPointer(pointer, 'tags');
    repaired({
      kind: 'a tag twice',
      pointer: at,
      wrong: 'tags contains the same tag twice',
      read: 'one of them',
    });
  }
}

// --- internal ---

const METHODS: ReadonlySet<string> = new Set(httpMethods);
