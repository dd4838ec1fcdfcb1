import * as fc from 'fast-check';
import { isRecord } from '../../../contract/index.ts';
import type { Json, JsonObject, MediaType } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { sitesOf } from '../../fuzz/negative-arbitrary.ts';
import type { FuzzedBody, Site } from '../../fuzz/negative-arbitrary.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import type { OwnApi } from '../own-api.ts';
import { nearTexts } from './near-texts.ts';
import { nearNumbers, nestedMisfits } from './nested-misfits.ts';
import { filled, isValid } from './values.ts';

/** The number of invalid bodies that are enough to show what a server validates. */
export const MOST_MISFITS = 64;

/**
 * Bodies with one fault each: first one for each keyword of the schema, then one for each place and keyword.
 * Optional members are added one at a time.
 *
 * @param takes whether a keyword can be violated in this kind of body
 */
export function misfitsOf(
  api: OwnApi,
  content: MediaType,
  valid: Json,
  takes: (keyword: string) => boolean,
): readonly FuzzedBody[] {
  const more = withMore(api, content, valid);
  const sites = [
    ...sitesOf(api.root, content.schema, valid),
    ...more.flatMap(([name, body]) =>
      sitesOf(api.root, content.schema, body).filter(({ pointer }) => pointer.startsWith(`/${name}`)),
    ),
  ].filter(({ keyword }) => takes(keyword));
  const isFirst = (by: (site: Site) => string) => (site: Site, at: number, all: readonly Site[]) =>
    all.findIndex((one) => by(one) === by(site)) === at;
  const firsts = sites.filter(isFirst(({ keyword }) => keyword));
  const others = sites
    .filter(({ keyword }) => keyword !== 'type')
    .filter(isFirst(({ pointer, keyword }) => `${pointer} ${keyword}`));
  const own = isRecord(valid) ? Object.keys(valid).map((name) => [name, valid] as const) : [];
  const texts = nearTexts(api, content, [...own, ...more], takes);
  const types = takes('type')
    ? [
        ...noObject(api, content),
        ...wrongTypes(api, content, [...own, ...more]),
        ...nestedMisfits(api, content, valid),
      ]
    : [];
  return [
    ...texts,
    ...[...new Set([...firsts, ...others])].flatMap(nearest),
    ...(takes('type') ? outsideNumbers(api, content, [...own, ...more]) : []),
    ...types,
  ].slice(0, MOST_MISFITS);
}

/** The body with each of its optional members in turn. A server may ignore read-only ones. */
export function withMore(api: OwnApi, content: MediaType, valid: Json): readonly (readonly [string, Json])[] {
  if (!isRecord(valid)) return [];
  return propertiesOf(content.schema, api.root)
    .slice(0, MOST_MEMBERS)
    .flatMap(([name, schema]): (readonly [string, Json])[] => {
      const described = followed(api.root, schema);
      const isServers = isRecord(described) && described['readOnly'] === true;
      if (Object.hasOwn(valid, name) || isServers) return [];
      const body = { ...valid, [name]: smallestValue(api.root, filled(api, schema)) } as Json;
      return isValid(api, content, body) ? [[name, body]] : [];
    });
}

// --- internal ---

const MOST_MEMBERS = 24;

/** How many numbers are sent as a text and as a truth value, and just outside of their bounds. */
const MOST_SPELT = 2;

/** The invalid value that is closest to a valid one, because servers most often fail at the bounds. */
function nearest({ bodies }: Site): readonly FuzzedBody[] {
  const isNever = fc.property<[FuzzedBody]>(bodies, () => false);
  return fc.check(isNever, { numRuns: 1, seed: 0 }).counterexample ?? [];
}

/** Bodies with one number just outside of its bounds. */
function outsideNumbers(
  api: OwnApi,
  content: MediaType,
  members: readonly (readonly [string, Json])[],
): readonly FuzzedBody[] {
  const schemas = new Map(propertiesOf(content.schema, api.root));
  const bodies = members.map(([name, valid]): readonly FuzzedBody[] => {
    const described = followed(api.root, schemas.get(name));
    return (isRecord(described) ? nearNumbers(described) : [])
      .map((value) => ({
        body: { ...(valid as JsonObject), [name]: value } as Json,
        says: `/${name}: ${value}`,
      }))
      .filter(({ body }) => !isValid(api, content, body));
  });
  return bodies
    .filter((of) => of.length > 0)
    .slice(0, MOST_SPELT)
    .flat();
}

/** Bodies that are no object: many servers look at the members first. */
function noObject(api: OwnApi, content: MediaType): readonly FuzzedBody[] {
  return ([[], 'text', null] as Json[])
    .filter((body) => !isValid(api, content, body))
    .map((body) => ({ body, says: `type: ${JSON.stringify(body)}` }));
}

/** Bodies with one member of another type: a fraction instead of an integer, else a text or a number. */
function wrongTypes(
  api: OwnApi,
  content: MediaType,
  members: readonly (readonly [string, Json])[],
): readonly FuzzedBody[] {
  const numbers = members.filter(([name, valid]) => typeof (valid as JsonObject)[name] === 'number');
  const texts = members.filter(([name, valid]) => typeof (valid as JsonObject)[name] === 'string');
  const objects = members.filter(([name, valid]) => isRecord((valid as JsonObject)[name]));
  return members.flatMap((member) => {
    const [name, valid] = member;
    const body = valid as JsonObject;
    const value = body[name];
    const others =
      typeof value === 'number' ? [value + 0.5, 'text'] : typeof value === 'string' ? [7] : ['text'];
    const isWrong = (one: Json): boolean => !isValid(api, content, { ...body, [name]: one } as Json);
    // Servers that read a text or a truth value as a number mostly do so for all of them.
    const isTried = numbers.indexOf(member) >= 0 && numbers.indexOf(member) < MOST_SPELT;
    const spelt = isTried ? [String(value), true].filter(isWrong) : [];
    // Servers that look into an object mostly fail at one that is null.
    const none = [texts[0], objects[0]].includes(member) && isWrong(null) ? [null] : [];
    return [...others.filter(isWrong).slice(0, 1), ...spelt, ...none].map((other) => ({
      body: { ...body, [name]: other },
      says: `/${name} type: ${JSON.stringify(other)}`,
    }));
  });
}
