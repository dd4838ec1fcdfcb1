import { isRecord } from '../../../contract/index.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { wireType } from '../../../contract/schemas/wire-type.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { chosenId } from './ids.ts';
import { inOtherCase } from './near-texts.ts';

/** A parameter for which an invalid or a missing value can be sent. */
export interface WrongParameter {
  readonly parameter: Parameter;
  /** `undefined` to leave it out. */
  readonly value: string | undefined;
  /** Whether the value is added to a valid one. */
  readonly isAdded?: true;
}

/** A text that is invalid by every schema with a type other than text, or with a set of values. */
export const WRONG = 'tallystick-no-such-value';

/**
 * Ids in another form than the path of an operation has: nothing can be read there, and nothing created. A number with
 * letters behind it shows whether the server reads only the digits.
 */
export function wrongIds(api: OwnApi, operation: Operation): readonly WrongParameter[] {
  const parameter = pathParameters(operation).at(-1);
  if (parameter === undefined || parameter.mediaType !== undefined) return [];
  if (!operation.path.endsWith(`/{${parameter.name}}`)) return [];
  // The meaning of a single text is unclear for a list or for members.
  const { kinds } = wireType(parameter.schema, api.contract.document);
  if (kinds.includes('array') || kinds.includes('object')) return [];
  const described = followed(api.root, parameter.schema);
  // A format alone need not be validated (JSON Schema 2020-12, "Format-Annotation").
  const isWrong = (value: string): boolean =>
    api.misfits(parameter, value).some(({ keyword }) => keyword !== 'format');
  const isNumber = isRecord(described) && [described['type']].flat().includes('integer');
  if (operation.method === 'get')
    return [
      ...(isWrong(WRONG) ? [{ parameter, value: WRONG }] : []),
      ...(isNumber ? [{ parameter, value: 'x', isAdded: true } as const] : []),
    ];
  const creates = operation.method === 'put' && operation.responses.some(({ status }) => status === '201');
  const own = creates ? chosenId(api, operation, parameter.name, () => FRESH) : undefined;
  if (typeof own !== 'string') return [];
  const cased = inOtherCase(own);
  return isWrong(cased) ? [{ parameter, value: cased }] : [];
}

// --- internal ---

/** The letters and digits that an id is made of. */
const FRESH = '5a1e0c57-1c2d-4b3e-8f4a-7d6c5b4a3e2f';
