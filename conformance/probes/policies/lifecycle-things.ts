import type { Json, Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sentPath } from '../../exchanges/exchange.ts';
import { idOf } from '../document/ids.ts';
import { thingParameter } from '../document/thing-places.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { replayReader } from './replayed-answers.ts';
import type { ShownResource } from './resources.ts';

/**
 * Which thing an answer shows: its key is that of the same thing in other answers of the course, and is absent for a thing
 * that the answer does not name. `undefined` if the answer repeats an earlier one.
 */
export type ThingReader = (
  seen: Exchange,
  shown: Pick<ShownResource, 'value' | 'isWhole'>,
) => { readonly key: string | undefined } | undefined;

/** @param readers the reads of the things of a lifecycle */
export function thingReader(api: OwnApi, readers: readonly Operation[]): ThingReader {
  // The id of a resource has the name of the parameter in its path, or a usual one.
  const [name = 'id'] = readers.map((reader) => thingParameter(api, reader)).filter((one) => one !== '');
  const isReplay = replayReader(api);
  return (seen, { value, isWhole }) => {
    if (isReplay(seen)) return undefined;
    const id = idOf(value, name);
    const isUnnamed = id === undefined || (isWhole && isOfAnother(api, seen, id));
    return { key: isUnnamed ? undefined : `${seen.course ?? seen.scenario} ${id}` };
  };
}

// --- internal ---

/**
 * Whether an answer shows another resource than the requested one: an example of the document shows nothing
 * about the course.
 */
function isOfAnother(api: OwnApi, seen: Exchange, id: Json): boolean {
  const asked = pathParameters(api.operation(seen.operation ?? '') ?? { parameters: [] });
  const segments = sentPath(seen).split(/[/:]/);
  return (
    asked.length > 0 && ![String(id), encodeURIComponent(String(id))].some((one) => segments.includes(one))
  );
}
