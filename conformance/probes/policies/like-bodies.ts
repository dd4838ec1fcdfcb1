import { isRecord } from '../../../contract/index.ts';
import type { Json, JsonObject, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { isValid } from '../document/values.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';

/** Bodies that are hard to tell apart: the first one, and others that differ from it in one place. */
export interface LikeBodies {
  readonly first: Json;
  readonly others: readonly Json[];
}

/**
 * Bodies with members that the document does not name, if it allows any: a server that knows such members only by name may
 * ignore the others. `undefined` if it does not allow them.
 */
export function likeBodies(api: OwnApi, operation: Operation, value: Json): LikeBodies | undefined {
  const content = sentContent(operation);
  if (content === undefined || !isRecord(value)) return undefined;
  const schema = followed(api.root, content.schema);
  const rest = isRecord(schema) ? schema['additionalProperties'] : undefined;
  const isOpen =
    rest === true ||
    isRecord(rest) ||
    (rest === undefined && propertiesOf(content.schema, api.root).length === 0);
  const first = { ...(value as JsonObject), ...RICH };
  if (!isOpen || !isValid(api, content, first)) return undefined;
  return { first, others: LIKE.map((like): JsonObject => ({ ...first, ...like })) };
}

// --- internal ---

const LONG = 'tally '.repeat(1400);

const RICH: JsonObject = {
  list: [1, 2],
  number: 1,
  text: 'Text',
  accent: '\u00e9',
  long: `${LONG}a`,
};

const LIKE: readonly JsonObject[] = [
  { list: [2, 1] },
  { number: '1' },
  { text: 'text' },
  { accent: '\u00e8' },
  { long: `${LONG}b` },
  { tallystick_other: true },
];
