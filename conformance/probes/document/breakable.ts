import { policyFor } from '../../../contract/index.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { wireType } from '../../../contract/wire-type.ts';
import type { OwnApi } from '../own-api.ts';

/** What no schema with a type other than text, and none with a set of values, allows. */
export const WRONG = 'tallystick-no-such-value';

/** A parameter that can be given a value which its schema does not allow. The bounds of a page are for its policy to judge. */
export function breakableParameter(api: OwnApi, operation: Operation): Parameter | undefined {
  const page = policyFor(operation, 'pagination');
  const owned = page === undefined ? [] : [page.limitParameter, page.cursorParameter];
  return operation.parameters.find((parameter) => {
    const { name, in: place, mediaType, style } = parameter;
    const { kinds } = wireType(parameter.schema, api.contract.document);
    // What a single text means for a list or for members is not plain.
    if (kinds.includes('array') || kinds.includes('object')) return false;
    if ((place !== 'query' && place !== 'header') || mediaType !== undefined || style === 'deepObject')
      return false;
    // A format alone need not be judged (JSON Schema 2020-12, "Format-Annotation").
    return !owned.includes(name) && api.misfits(parameter, WRONG).some(({ keyword }) => keyword !== 'format');
  });
}
