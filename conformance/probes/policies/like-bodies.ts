import { isRecord } from '../../../contract/index.ts';
import type { Json, JsonObject, Operation } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { isFreeText } from '../document/rich-bodies.ts';
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
  if (!isOpen || !isValid(api, content, first)) return likeTexts(api, operation, value as JsonObject);
  return { first, others: LIKE.map((like): JsonObject => ({ ...first, ...like })) };
}

// --- internal ---

/** Bodies with long texts, of which one differs at its end: a server may compare the beginning alone. */
function likeTexts(api: OwnApi, operation: Operation, value: JsonObject): LikeBodies | undefined {
  const content = sentContent(operation);
  if (content === undefined) return undefined;
  const texts = propertiesOf(content.schema, api.root).flatMap(([name, described]) => {
    const schema = followed(api.root, described);
    const { maxLength: most = LONGEST } = isRecord(schema) ? schema : {};
    return isRecord(schema) && isFreeText(name, schema) && typeof most === 'number' && most >= SHORTEST
      ? [[name, LONG.slice(0, Math.min(most, LONGEST) - 1)] as const]
      : [];
  });
  const filled = texts.reduce<JsonObject>((body, [name, text]) => {
    const longer = { ...body, [name]: `${text}a` };
    return isValid(api, content, longer) ? longer : body;
  }, value);
  // A server may compare a form in which members are sorted by their names.
  const [last] = texts
    .filter(([name, text]) => filled[name] === `${text}a`)
    .sort()
    .toReversed();
  if (last === undefined || JSON.stringify(filled).length < LONG_BODY) return undefined;
  const [name, text] = last;
  const { [name]: _, ...others } = filled;
  return { first: { ...others, [name]: `${text}a` }, others: [{ ...others, [name]: `${text}b` }] };
}

const LONG_BODY = 200;
const SHORTEST = 40;
const LONGEST = 1_000;

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
