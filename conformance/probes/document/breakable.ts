import { isRecord, pagesPolicyOf } from '../../../contract/index.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { bringsDownLimits } from '../../../contract/sheet/policy-rules.ts';
import { wireType } from '../../../contract/schemas/wire-type.ts';
import { isOfTransport } from '../../../contract/served/transport-headers.ts';
import type { OwnApi } from '../own-api.ts';
import { documentedValues } from './values.ts';
import { WRONG, type WrongParameter } from './wrong-ids.ts';

/** Calls that violate the document by one parameter. */
export function wrongParameters(api: OwnApi, declared: Operation): readonly WrongParameter[] {
  const parameters = declared.parameters.filter((parameter) => !isOfTransport(parameter));
  const operation = { ...declared, parameters };
  // Without it, the call may be one of another operation at the same path.
  const isOfPath = /[?#]/.test(operation.path);
  const isLeft = ({ in: place, required, schema }: Parameter): boolean =>
    required &&
    !(isOfPath && place === 'query') &&
    (place === 'query' || place === 'header') &&
    !(isRecord(schema) && 'default' in schema);
  return [
    ...breakable(api, operation).map((parameter) => ({ parameter, value: WRONG })),
    ...beyond(api, operation),
    ...tooShortOrLong(api, operation),
    ...parameters.filter(isLeft).map((parameter) => ({ parameter, value: undefined })),
  ].slice(0, MOST_WRONG);
}

// --- internal ---

const MOST_WRONG = 8;

/** A server may cut longer texts off before it looks at them. */
const LONGEST_TEXT = 300;

/** Whole numbers just below the minimum of a parameter, and just above its maximum. */
function beyond(api: OwnApi, operation: Operation): readonly WrongParameter[] {
  const clamped = bringsDownLimits(api.contract, operation)
    ? pagesPolicyOf(operation)?.limitParameter
    : undefined;
  return operation.parameters.flatMap((parameter): readonly WrongParameter[] => {
    const { name, in: place, schema } = parameter;
    if ((place !== 'query' && place !== 'header') || name === clamped) return [];
    const { minimum, maximum, type } = factsOf(api, schema);
    if (![type].flat().includes('integer')) return [];
    const values = [
      ...(typeof minimum === 'number' ? [Math.ceil(minimum) - 1] : []),
      ...(typeof maximum === 'number' ? [Math.floor(maximum) + 1] : []),
    ];
    return values
      .filter((value) => api.misfits(parameter, value).length > 0)
      .map((value) => ({ parameter, value: String(value) }));
  });
}

/** Texts that lack one character, and texts with one too many. */
function tooShortOrLong(api: OwnApi, operation: Operation): readonly WrongParameter[] {
  return operation.parameters.flatMap((parameter): readonly WrongParameter[] => {
    const { in: place, schema, mediaType } = parameter;
    if ((place !== 'query' && place !== 'header') || mediaType !== undefined) return [];
    const { minLength, maxLength, type } = factsOf(api, schema);
    const valid = documentedValues(api, parameter).find(({ value }) => typeof value === 'string')?.value;
    if (![type].flat().includes('string') || typeof valid !== 'string' || !/^[\w-]+$/.test(valid)) return [];
    const ofLength = (length: number): string =>
      valid.repeat(Math.ceil(length / valid.length)).slice(0, length);
    const lengths = [
      ...(typeof minLength === 'number' && minLength > 1 ? [minLength - 1] : []),
      ...(typeof maxLength === 'number' && maxLength < LONGEST_TEXT ? [maxLength + 1] : []),
    ];
    return lengths
      .map(ofLength)
      .filter((value) => api.misfits(parameter, value).length > 0)
      .map((value) => ({ parameter, value }));
  });
}

function factsOf({ root }: OwnApi, schema: unknown): Readonly<Record<string, unknown>> {
  const described = followed(root, schema);
  return isRecord(described) ? described : {};
}

function breakable(api: OwnApi, operation: Operation): readonly Parameter[] {
  return operation.parameters.filter((parameter) => {
    const { in: place, mediaType, style } = parameter;
    const { kinds } = wireType(parameter.schema, api.contract.document);
    // The meaning of a single text is unclear for a list or for members.
    if (kinds.includes('array') || kinds.includes('object')) return false;
    if ((place !== 'query' && place !== 'header') || mediaType !== undefined || style === 'deepObject')
      return false;
    // A format alone need not be validated (JSON Schema 2020-12, "Format-Annotation").
    return api.misfits(parameter, WRONG).some(({ keyword }) => keyword !== 'format');
  });
}
