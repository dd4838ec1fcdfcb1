import { randomUUID } from 'node:crypto';
import type { Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { openToAll, rangeUnchecked } from './parts.ts';
import {
  along,
  breaks,
  credentialsOf,
  sentBody,
  when,
  withJson,
  withText,
} from '../../../deviations/wire.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

const operations = ['startSkinEnhancement'];

const begun = (answer: Answer): boolean => answer.status === 200;

const refusal = (answer: Answer, status = 400): Answer =>
  withJson(answer, status, { error: 'bad_request', message: 'Deviant on purpose.' });

/** Refuses good requests with something in their body. */
const refusing = (holds: (body: JsonRecord) => boolean): NonNullable<Deviation['onReply']> =>
  when(
    (answer, seen) => begun(answer) && holds(sentBody(seen)),
    (answer) => refusal(answer),
  );

const onTask = (change: (task: JsonRecord) => unknown): ((answer: Answer) => Answer) => {
  return (answer) => onJson(answer, 200, (body) => ({ ...body, data: change(body['data'] as JsonRecord) }));
};

const numbers = ({ sharpen, smart_grain: grain }: JsonRecord): readonly number[] =>
  [sharpen, grain].filter((value) => typeof value === 'number');

const isAddress = ({ image }: JsonRecord): boolean => typeof image === 'string' && image.startsWith('https:');

const imageOf = (seen: DeviationView): unknown => sentBody(seen)['image'];

const textOf = (seen: DeviationView): string => {
  const image = imageOf(seen);
  return typeof image === 'string' ? image : '';
};

/** Begins work that was refused. */
const begin = (answer: Answer): Answer =>
  withJson(answer, 200, {
    data: { generated: [], status: 'CREATED', task_id: randomUUID() },
  });

/** Deviations of the partner route. */
export const proxyDeviations: readonly Deviation[] = [
  breaks('proxy.skin.200', '202', {
    operations,
    onReply: when(begun, (answer) => ({ ...answer, status: 202 })),
  }),
  breaks('proxy.skin.200-shape', 'generated-null', {
    operations,
    onReply: onTask((task) => ({ ...task, generated: null })),
  }),
  breaks('proxy.skin.200-shape', 'generated-of-objects', {
    operations,
    onReply: onTask((task) => ({ ...task, generated: [{ url: 'https://files.example.com/1.jpg' }] })),
  }),
  breaks('proxy.skin.200-shape', 'status-number', {
    operations,
    onReply: onTask((task) => ({ ...task, status: 1 })),
  }),
  breaks('proxy.skin.200-shape', 'no-data', {
    operations,
    alsoFails: along('the task has no name at all', 'proxy.skin.task-id-uuid', 'proxy.skin.task-per-call'),
    onReply: (answer) => onJson(answer, 200, ({ data }) => data),
  }),
  breaks('proxy.skin.task-id-uuid', 'integer', {
    operations,
    alsoFails: along('a number is no string', 'proxy.skin.200-shape', 'proxy.skin.task-per-call'),
    onReply: onTask((task) => ({ ...task, task_id: 4711 })),
  }),
  breaks('proxy.skin.task-id-uuid', 'short', {
    operations,
    onReply: onTask((task) => ({ ...task, task_id: String(task['task_id']).slice(0, 8) })),
  }),
  breaks('proxy.skin.task-per-call', 'one-for-all', {
    operations,
    onReply: onTask((task) => ({ ...task, task_id: '0f8fad5b-d9cb-469f-a165-70867728950e' })),
  }),
  breaks('proxy.skin.sharpen-range', 'rounded', {
    operations,
    onReply: when((answer, seen) => answer.status === 400 && sentBody(seen)['sharpen'] === 100.4, begin),
  }),
  breaks('proxy.skin.sharpen-range', '200', {
    operations,
    replaces: { registry: rangeUnchecked('sharpen') },
  }),
  breaks('proxy.skin.grain-range', '200', {
    operations,
    replaces: { registry: rangeUnchecked('smart_grain') },
  }),
  breaks('proxy.skin.range-inclusive', 'upper-end', {
    operations,
    onReply: refusing((body) => numbers(body).includes(100)),
  }),
  breaks('proxy.skin.range-inclusive', 'lower-end', {
    operations,
    onReply: refusing((body) => numbers(body).includes(0)),
  }),
  breaks('proxy.skin.range-inclusive', 'whole-numbers', {
    operations,
    onReply: refusing((body) => numbers(body).some((value) => !Number.isInteger(value))),
  }),
  breaks('proxy.skin.image-forms', 'no-address', {
    operations,
    onReply: refusing(isAddress),
  }),
  breaks('proxy.skin.image-forms', 'no-base64', {
    operations,
    alsoFails: along(
      'without that form nothing can be started with the image of the fixtures',
      'proxy.skin.200',
      'proxy.skin.200-shape',
      'proxy.skin.task-id-uuid',
    ),
    onReply: refusing((body) => 'image' in body && !isAddress(body)),
  }),
  breaks('proxy.skin.image-forms', 'no-plus', {
    operations,
    onReply: refusing((body) => !isAddress(body) && String(body['image']).includes('+')),
  }),
  breaks('proxy.skin.image-refused', 'number', {
    operations,
    onReply: when((answer, seen) => answer.status === 400 && typeof imageOf(seen) === 'number', begin),
  }),
  breaks('proxy.skin.image-refused', 'http-address', {
    operations,
    onReply: when((answer, seen) => answer.status === 400 && textOf(seen).startsWith('http:'), begin),
  }),
  breaks('proxy.skin.image-refused', 'any-text', {
    operations,
    onReply: when((answer, seen) => answer.status === 400 && textOf(seen).includes(' '), begin),
  }),
  breaks('proxy.skin.webhook-optional', '400', {
    operations,
    onReply: refusing((body) => !('webhook_url' in body)),
  }),
  breaks('proxy.errors.shape', 'html', {
    operations,
    onReply: when(
      ({ status }) => status >= 400,
      (answer) => withText(answer, answer.status, 'text/html', '<h1>Deviant on purpose</h1>'),
    ),
  }),
  breaks('proxy.errors.shape', 'no-message', {
    operations,
    onReply: when(
      ({ status }) => status >= 400,
      (answer) => onJson(answer, 'any', ({ message: _left, ...body }) => body),
    ),
  }),
  breaks('proxy.auth.required', '200', {
    operations,
    replaces: { registry: openToAll },
  }),
  breaks('proxy.auth.bearer-and-key', 'no-key', {
    operations,
    // Only without an image, so that calls that are to succeed stay as witnesses for the other rules.
    onReply: when(
      (answer, seen) =>
        (hasKeyHeader(answer, seen) || hasKeyAsBearer(seen)) &&
        !begun(answer) &&
        'sharpen' in sentBody(seen) &&
        !('image' in sentBody(seen)),
      (answer) => refusal(answer, 401),
    ),
  }),
  breaks('proxy.auth.bearer-and-key', 'no-token', {
    operations,
    onReply: when(
      (_answer, seen) => seen.request.header('authorization') !== undefined,
      (answer) => refusal(answer, 401),
    ),
  }),
  breaks('router.proxy.same-credential', '401', {
    operations,
    onReply: when(
      (answer, seen) => hasKeyHeader(answer, seen) && seen.request.body().kind === 'malformed',
      (answer) => refusal(answer, 401),
    ),
  }),
  breaks('proxy.skin.webhook-refused', 'number', {
    operations,
    onReply: when(
      (answer, seen) => answer.status === 400 && typeof sentBody(seen)['webhook_url'] === 'number',
      begin,
    ),
  }),
];

// --- internal ---

function hasKeyAsBearer(seen: DeviationView): boolean {
  const prefix = credentialsOf(seen)?.keyPrefix ?? '';
  return seen.request.header('authorization')?.startsWith(`Bearer ${prefix}`) === true;
}

function hasKeyHeader(_answer: Answer, seen: DeviationView): boolean {
  const keyHeader = credentialsOf(seen)?.keyHeader;
  return keyHeader !== undefined && seen.request.header(keyHeader.toLowerCase()) !== undefined;
}
