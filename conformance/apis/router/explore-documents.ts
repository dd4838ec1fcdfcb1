import { check } from '../../scenarios/check.ts';
import { canonical } from '../../../contract/canonical-json.ts';
import { isObject } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { answerTo, isServed, judgeCaller } from './explore-callers.ts';
import type { CatalogueReader } from './explore-callers.ts';
import { bucketOf, sketchRefusal } from './probes/answers.ts';

/** A document that was served completely. */
interface Held {
  readonly tag: string;
  readonly answer: Exchange;
}

export interface Documents {
  /** By model. */
  readonly held: Map<string, Held>;
}

export const readRules = [
  'router.detail.ok',
  'router.detail.404',
  'router.detail.404-bucket',
  'router.schema.200',
  'router.schema.404',
  'router.schema.inm-304',
  'router.schema.inm-weak',
  'router.schema.inm-list',
  'router.schema.inm-star',
  'router.schema.inm-miss',
  'router.schema.304-headers',
];

/** Models by their names in the choices. */
export interface Named {
  readonly ids: Readonly<Record<string, string>>;
  readonly callers: readonly CatalogueReader[];
}

/** Document 1, GET /v1/models/{provider}/{model}. */
export function reading<Name extends string>({
  ids,
  callers,
}: Named): ModelOperation<unknown, Name | `detail ${CatalogueReader}`> {
  return operation({
    factors: { as: callers, model: Object.keys(ids) },
    sends: ({ as }) =>
      ({ [`detail ${as}`]: 1 }) as Partial<Record<Name | `detail ${CatalogueReader}`, number>>,
    perform: async function* ({ session, choices: { as, model } }) {
      const answer = await answerTo(session as Session, `detail ${as}`, { fill: { id: ids[model] ?? '' } });
      yield* judgeCaller(answer, as, isMissing(model) ? 404 : undefined);
      if (!isServed(answer, as)) return;
      if (isMissing(model)) {
        yield* judgeMissing('router.detail.404', answer);
        const named = answer.status !== 404 || bucketOf(answer) === 'model_not_found';
        yield check(
          'router.detail.404-bucket',
          answer,
          named,
          'bucket model_not_found',
          sketchRefusal(answer),
        );
      } else if (model === 'known')
        yield check('router.detail.ok', answer, answer.status === 200, 'status 200', sketchRefusal(answer));
    },
  });
}

/** Document 1, GET …/openapi.json, header If-None-Match. */
export function documents<Name extends string>({
  ids,
  callers,
}: Named): ModelOperation<Documents, Name | `schema ${CatalogueReader}`> {
  return operation({
    factors: {
      as: callers,
      model: Object.keys(ids),
      condition: [
        'none',
        'held',
        'weakened',
        'listed',
        'last of three',
        'star',
        'other',
        'cut',
        'lengthened',
        'of another',
      ],
    },
    sends: ({ as }) =>
      ({ [`schema ${as}`]: 1 }) as Partial<Record<Name | `schema ${CatalogueReader}`, number>>,
    isPossible: ({ held }, { model, condition }) =>
      ['none', 'star', 'other'].includes(condition) ||
      (condition === 'of another' ? [...held.keys()].some((one) => one !== model) : held.has(model)),
    perform: async function* ({ state: { held }, session, choices: { as, model, condition } }) {
      const known = held.get(model);
      const other = [...held].find(([name]) => name !== model)?.[1];
      const value = conditionOf(condition, known?.tag ?? '', other?.tag ?? '');
      const answer = await answerTo(session as Session, `schema ${as}`, {
        fill: { id: ids[model] ?? '' },
        ...(value === undefined ? {} : { headers: [['If-None-Match', value]] }),
      });
      yield* judgeCaller(answer, as, isMissing(model) ? 404 : undefined);
      if (!isServed(answer, as)) return;
      if (isMissing(model)) return yield* judgeMissing('router.schema.404', answer);
      const served = answer.status === 200 || answer.status === 304;
      // Another model of the catalogue may have been removed meanwhile.
      if (!served && model !== 'known') return;
      yield check('router.schema.200', answer, served, 'the document', sketchRefusal(answer));
      yield* judgeCondition(answer, condition, known, value);
      const tag = answer.header('ETag');
      if (answer.status === 200 && tag !== undefined && isObject(answer.json))
        held.set(model, { tag, answer });
    },
  });
}

// --- internal ---

function isMissing(model: string): boolean {
  return model.startsWith('no such');
}

function* judgeMissing(rule: string, answer: Exchange): Generator<Check> {
  yield check(rule, answer, answer.status === 404, 'status 404', sketchRefusal(answer));
}

type Condition =
  | 'none'
  | 'held'
  | 'weakened'
  | 'listed'
  | 'last of three'
  | 'star'
  | 'other'
  | 'cut'
  | 'lengthened'
  | 'of another';

function conditionOf(condition: Condition, tag: string, other: string): string | undefined {
  const opaque = tag.replace(/^W\//, '');
  switch (condition) {
    case 'none':
      return undefined;
    case 'held':
      return tag;
    case 'weakened':
      return tag === opaque ? `W/${opaque}` : opaque;
    case 'listed':
      return `${tag}, "tallystick-other"`;
    case 'last of three':
      return `"tallystick-one","tallystick-two",${tag}`;
    case 'star':
      return '*';
    case 'other':
      return '"tallystick-other"';
    case 'cut':
      return opaque.length > 3 ? `${opaque.slice(0, -2)}"` : '"tallystick-other"';
    case 'lengthened':
      return `${opaque.slice(0, -1)}x"`;
    case 'of another':
      return other;
  }
}

const MATCHING: Readonly<Partial<Record<Condition, string>>> = {
  held: 'router.schema.inm-304',
  weakened: 'router.schema.inm-weak',
  listed: 'router.schema.inm-list',
  'last of three': 'router.schema.inm-list',
  star: 'router.schema.inm-star',
};

/** A document and its tag may change at any time, so the tag of the answer determines the verdict. */
function* judgeCondition(
  answer: Exchange,
  condition: Condition,
  known: Held | undefined,
  value: string | undefined,
): Generator<Check> {
  const tag = answer.header('ETag')?.replace(/^W\//, '');
  const mine = known?.tag.replace(/^W\//, '');
  const matches = MATCHING[condition];
  if (
    answer.status === 200 &&
    matches !== undefined &&
    (condition === 'star' || (tag !== undefined && tag === mine))
  )
    yield check(matches, answer, false, `status 304 to ${value}`, `200 with ETag: ${tag}`);
  if (answer.status === 304 && matches === undefined) {
    const isHit = tag !== undefined && value?.includes(tag) === true;
    yield check(
      'router.schema.inm-miss',
      answer,
      isHit,
      'the whole document',
      `304 to ${value ?? 'no condition'}`,
    );
  }
  if (answer.status === 304 && matches !== undefined && condition !== 'star' && mine !== undefined)
    yield check('router.schema.304-headers', answer, tag === mine, `ETag: ${mine}`, `304 with ETag: ${tag}`);
  if (answer.status !== 200 || known === undefined || tag !== mine) return;
  // Another document with a known tag would never reach the callers.
  const same = canonical(answer.json) === canonical(known.answer.json);
  yield check('router.schema.inm-miss', [known.answer, answer], same, 'another tag for another document');
}
