import { isRecord } from '../../../contract/index.ts';
import type { Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { hasAll, referencesIn } from './references.ts';
import { alternativesIn } from './values.ts';

/**
 * Whether the body of a call may select things by other members than their ids: `{ "all": true }`, or `{ "tag": "x" }` where
 * another alternative has ids. Alternatives that say by a text which kind of thing they are, are things.
 *
 * @param body the usual one
 */
export function selectsThings(api: OwnApi, operation: Operation, body: unknown): boolean {
  if (hasAll(body)) return true;
  const alternatives = alternativesIn(api, sentContent(operation));
  if (alternatives.length < 2 || alternatives.every((one) => isTagged(api, one))) return false;
  const naming = alternatives.map(
    (one) => referencesIn(api, operation, smallestValue(api.root, one)).length > 0,
  );
  return naming.includes(true) && naming.includes(false);
}

// --- internal ---

function isTagged(api: OwnApi, alternative: Schema): boolean {
  return propertiesOf(alternative, api.root).some(([, property]) => {
    const described = followed(api.root, property);
    if (!isRecord(described)) return false;
    const { const: only, enum: values } = described;
    return [only, Array.isArray(values) && values.length === 1 ? values[0] : undefined].some(
      (value) => typeof value === 'string',
    );
  });
}
