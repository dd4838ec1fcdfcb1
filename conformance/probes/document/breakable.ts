import { isRecord, policyFor } from '../../../contract/index.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { wireType } from '../../../contract/wire-type.ts';
import type { OwnApi } from '../own-api.ts';

/** A text that is invalid by every schema with a type other than text, or with a set of values. */
export const WRONG = 'tallystick-no-such-value';

/** A parameter for which an invalid or a missing value can be sent. */
export interface WrongParameter {
  readonly parameter: Parameter;
  /** `undefined` to leave it out. */
  readonly value: string | undefined;
}

/** Calls that violate the document by one parameter. The bounds of a page are left to its policy. */
export function wrongParameters(api: OwnApi, operation: Operation): readonly WrongParameter[] {
  const isLeft = ({ in: place, required, schema }: Parameter): boolean =>
    required && (place === 'query' || place === 'header') && !(isRecord(schema) && 'default' in schema);
  return [
    ...breakable(api, operation).map((parameter) => ({ parameter, value: WRONG })),
    ...operation.parameters.filter(isLeft).map((parameter) => ({ parameter, value: undefined })),
  ].slice(0, MOST_WRONG);
}

// --- internal ---

const MOST_WRONG = 4;

function breakable(api: OwnApi, operation: Operation): readonly Parameter[] {
  const page = policyFor(operation, 'pagination');
  const owned = page === undefined ? [] : [page.limitParameter, page.cursorParameter];
  return operation.parameters.filter((parameter) => {
    const { name, in: place, mediaType, style } = parameter;
    const { kinds } = wireType(parameter.schema, api.contract.document);
    // The meaning of a single text is unclear for a list or for members.
    if (kinds.includes('array') || kinds.includes('object')) return false;
    if ((place !== 'query' && place !== 'header') || mediaType !== undefined || style === 'deepObject')
      return false;
    // A format alone need not be validated (JSON Schema 2020-12, "Format-Annotation").
    return !owned.includes(name) && api.misfits(parameter, WRONG).some(({ keyword }) => keyword !== 'format');
  });
}
