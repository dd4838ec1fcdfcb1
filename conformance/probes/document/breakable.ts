import { policyFor } from '../../../contract/index.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import type { OwnApi } from '../own-api.ts';

/** What no schema with a type other than text, and none with a set of values, allows. */
export const WRONG = 'tallystick-no-such-value';

/** A parameter that can be given a value which its schema does not allow. The bounds of a page are for its policy to judge. */
export function breakableParameter(api: OwnApi, operation: Operation): Parameter | undefined {
  const page = policyFor(operation, 'pagination');
  const owned = page === undefined ? [] : [page.limitParameter, page.cursorParameter];
  return operation.parameters.find((parameter) => {
    const { name, in: place, mediaType, style } = parameter;
    if ((place !== 'query' && place !== 'header') || mediaType !== undefined || style === 'deepObject')
      return false;
    // A list of texts takes it as its only item.
    const readings = [WRONG, [WRONG]];
    return !owned.includes(name) && readings.every((value) => api.misfits(parameter, value).length > 0);
  });
}
