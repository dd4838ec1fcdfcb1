import { randomUUID } from 'node:crypto';
import { along, breaks, bySearch } from '../../../deviations/breaks.ts';
import {
  asJson,
  asNothing,
  asStatus,
  asText,
  onBody,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import {
  bearsMadeUpToken,
  bodyEnds,
  bodyFits,
  bodyIs,
  isError,
  keyAsBearer,
  keyInHeader,
  not,
  sends,
  status,
  when,
} from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { openToAll, rangeUnchecked } from './parts.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

const begun = status(200);

const refuse = (code: number): AnswerChange =>
  asJson(code, { error: 'bad_request', message: 'Deviant on purpose.' });

/** Refuses valid requests with a given member in their body. */
const refusing = (holds: (body: JsonRecord) => boolean): AnswerChange =>
  when([begun, bodyFits(holds)], refuse(400));

const onTask = (change: (task: JsonRecord) => unknown): AnswerChange =>
  onBody(200, (body) => ({ ...body, data: change(body['data'] as JsonRecord) }));

const numbers = ({ sharpen, smart_grain: grain }: JsonRecord): readonly number[] =>
  [sharpen, grain].filter((value) => typeof value === 'number');

const isAddress = ({ image }: JsonRecord): boolean => typeof image === 'string' && image.startsWith('https:');

const begin: AnswerChange = (answer, seen) =>
  asJson(200, { data: { generated: [], status: 'CREATED', task_id: randomUUID() } })(answer, seen);

/** Starts work for a refused request whose body matches. */
const beginning = (holds: (body: JsonRecord) => boolean): AnswerChange =>
  when([status(400), bodyFits(holds)], begin);

const textOf = ({ image }: JsonRecord): string => (typeof image === 'string' ? image : '');

/** Deviations of the partner route. */
export const proxyDeviations: readonly Deviation[] = breaks('startSkinEnhancement')({
  'proxy.skin.200~202': when(begun, asStatus(202)),
  'proxy.skin.200~202-by-token': when([begun, sends('authorization', 'Bearer eyJ')], asStatus(202)),
  'proxy.skin.200-shape~generated-null': onTask((task) => ({ ...task, generated: null })),
  'proxy.skin.200-shape~generated-of-objects': onTask((task) => ({
    ...task,
    generated: [{ url: 'https://files.example.com/1.jpg' }],
  })),
  'proxy.skin.200-shape~generated-null-alone': when(
    bodyFits((body) => !('sharpen' in body)),
    onTask((task) => ({ ...task, generated: null })),
  ),
  'proxy.skin.200-shape~status-number': onTask((task) => ({ ...task, status: 1 })),
  'proxy.skin.200-shape~no-data': [
    onBody(200, ({ data }) => data),
    along('the task has no name at all', 'proxy.skin.task-id-uuid', 'proxy.skin.task-per-call'),
  ],
  'proxy.skin.task-id-uuid~integer': [
    onTask((task) => ({ ...task, task_id: 4711 })),
    along('a number is not a string', 'proxy.skin.200-shape', 'proxy.skin.task-per-call'),
  ],
  'proxy.skin.task-id-uuid~short': onTask((task) => ({
    ...task,
    task_id: String(task['task_id']).slice(0, 8),
  })),
  'proxy.skin.task-per-call~one-for-all': onTask((task) => ({
    ...task,
    task_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  })),
  'proxy.skin.sharpen-range~rounded': beginning(({ sharpen }) => sharpen === 100.4),
  'proxy.skin.sharpen-range~four-decimals': beginning(({ sharpen }) => sharpen === 100.00001),
  'proxy.skin.sharpen-range~chunks-unchecked': when(
    sends('transfer-encoding', 'chunked'),
    beginning(({ sharpen }) => typeof sharpen === 'number' && (sharpen < 0 || sharpen > 100)),
  ),
  'proxy.skin.grain-range~beyond-integers': beginning(({ smart_grain: grain }) => Number(grain) > 1e15),
  'proxy.skin.grain-range~almost-zero': beginning(({ smart_grain: grain }) => grain === -1e-30),
  'proxy.skin.sharpen-range~percent': beginning(({ sharpen }) => sharpen === '50%'),
  'proxy.skin.sharpen-range~200': { registry: rangeUnchecked('sharpen') },
  'proxy.skin.grain-range~200': { registry: rangeUnchecked('smart_grain') },
  'proxy.skin.range-inclusive~upper-end': refusing((body) => numbers(body).includes(100)),
  'proxy.skin.range-inclusive~lower-end': refusing((body) => numbers(body).includes(0)),
  'proxy.skin.range-inclusive~no-exponents': refusing((body) =>
    numbers(body).some((value) => String(value).includes('e')),
  ),
  'proxy.skin.range-inclusive~whole-numbers': refusing((body) =>
    numbers(body).some((value) => !Number.isInteger(value)),
  ),
  'proxy.skin.range-inclusive~no-minus-zero': refusing((body) =>
    numbers(body).some((value) => Object.is(value, -0)),
  ),
  'proxy.skin.image-forms~no-address': refusing(isAddress),
  'proxy.skin.image-forms~no-query': refusing((body) => isAddress(body) && textOf(body).includes('?')),
  'proxy.skin.image-forms~no-base64': [
    refusing((body) => 'image' in body && !isAddress(body)),
    along(
      'without that form nothing can be started with the image of the fixtures',
      'proxy.skin.200',
      'proxy.skin.200-shape',
      'proxy.skin.task-id-uuid',
    ),
    along('the image of the fixtures has that form', 'proxy.auth.bearer-and-key'),
  ],
  'proxy.skin.image-forms~no-plus': refusing(
    (body) => !isAddress(body) && String(body['image']).includes('+'),
  ),
  'proxy.skin.image-forms~short-texts-only': refusing((body) => !isAddress(body) && textOf(body).length > 64),
  'proxy.skin.image-refused~number': beginning(({ image }) => typeof image === 'number'),
  'proxy.skin.image-refused~http-address': beginning((body) => textOf(body).startsWith('http:')),
  'proxy.skin.image-refused~scheme-in-capitals': beginning((body) => textOf(body).startsWith('HTTP:')),
  'proxy.skin.image-refused~any-text': beginning((body) => textOf(body).includes(' ')),
  'proxy.skin.image-refused~skipped-characters': beginning((body) => textOf(body).includes('*')),
  'proxy.skin.image-refused~long-unread': beginning((body) => textOf(body).length > 2000),
  'proxy.skin.body-refused~listed': beginning((body) => Array.isArray(body)),
  'proxy.skin.body-refused~comma-taken': when([status(400), bodyEnds(',}')], begin),
  'proxy.skin.webhook-optional~400': refusing((body) => !('webhook_url' in body)),
  'proxy.errors.shape~html': when(isError, asText('text/html', '<h1>Deviant on purpose</h1>')),
  'proxy.errors.shape~no-message': when(
    isError,
    onBody('any', ({ message: _left, ...body }) => body),
  ),
  'proxy.errors.shape~bare-500-to-no-address': when(
    bodyFits(({ webhook_url: url }) => url === 'tallystick'),
    asNothing(500),
  ),
  'proxy.auth.required~200': { registry: openToAll },
  // The mock accepts every JWT; this one refuses those about an unknown user.
  'proxy.auth.required~any-signature': when(bearsMadeUpToken, refuse(401)),
  'proxy.auth.required~no-scheme': when([status(401), sends('authorization', 'eyJ')], begin),
  'proxy.auth.required~no-blank': when([status(401), sends('authorization', 'BearereyJ')], begin),
  // Only without an image, so that valid calls remain correct for the other rules.
  'proxy.auth.bearer-and-key~no-key': when(
    [
      (answer, seen) => keyInHeader(answer, seen) || keyAsBearer(answer, seen),
      not(begun),
      bodyFits((body) => 'sharpen' in body && !('image' in body)),
    ],
    refuse(401),
  ),
  'proxy.auth.bearer-and-key~key-for-base64-only': [
    when([keyInHeader, begun, bodyFits(isAddress)], refuse(401)),
    bySearch('a search starts with the key, and sees one form of an image refused', 'proxy.skin.image-forms'),
  ],
  'proxy.auth.bearer-and-key~no-token': when(sends('authorization'), refuse(401)),
  'router.proxy.same-credential~401': when([keyInHeader, bodyIs('malformed')], refuse(401)),
  'proxy.skin.webhook-refused~number': beginning(({ webhook_url: url }) => typeof url === 'number'),
});
