import { isRecord } from '../../../contract/index.ts';
import type { Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { hasAll, referencesIn } from './references.ts';
import { bodyFor } from './values.ts';

/**
 * Whether the body of a call may select things by other members than their ids: `{ "all": true }`, or `{ "tag": "x" }` where
 * another alternative has ids. Alternatives that say by a text which kind of thing they are, are things.
 */
export function selectsThings(api: OwnApi, operation: Operation): boolean {
  if (hasAll(bodyFor(api, operation, {})?.value)) return true;
  const described = followed(api.root, sentContent(operation)?.schema);
  if (!isRecord(described)) return false;
  const alternatives = [described['oneOf'] ?? described['anyOf'] ?? []].flat() as Schema[];
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
    return typeof only === 'string' || (Array.isArray(values) && values.length === 1);
  });
}
