import { mainSchemeOf, placeOfScheme } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/model.ts';
import { withHeaders, withoutHeaders } from '../../call/answer.ts';
import type { FrontRequest } from '../../call/front.ts';
import { onJson, type Deviation } from '../deviation.ts';
import type { WayToBreak } from './broken.ts';
import { remembering } from './keys.ts';

type Reply = NonNullable<Deviation['onReply']>;

/** Ways to let in who may not, or to say so in another way. */
export function callerWays(contract: Contract): readonly WayToBreak[] {
  const { operations } = contract;
  const scheme = mainSchemeOf(contract);
  const place = scheme && placeOfScheme(scheme);
  const shows = ({ header, query }: Pick<FrontRequest, 'header' | 'query'>): boolean =>
    header('authorization') !== undefined ||
    (place?.in === 'header' && header(place.name.toLowerCase()) !== undefined) ||
    (place?.in === 'query' && query.some(({ name }) => name === place.name)) ||
    (place?.in === 'cookie' && header('cookie')?.includes(`${place.name}=`) === true);
  // The first read is what shows it: what it answered before is what a stranger gets.
  const opening = operations.find(
    ({ method, parameters }) => method === 'get' && !parameters.some(({ required }) => required),
  );
  if (opening === undefined) return [];
  const on = { operations: [opening.id] };
  return [
    {
      case: 'none',
      variant: 'let-in',
      document: [[['security'], 'the document asks for a credential as well']],
      parts: {
        ...on,
        ...remembering((first, answer, { request }) =>
          answer.status === 401 && first !== undefined && !shows(request) ? first : answer,
        ),
      },
    },
    {
      case: 'none',
      variant: '403',
      along: [[['refused'], 'every refusal of a caller has the status']],
      beside: [
        ['error-codes', ['status'], 'the code belongs to the status that it should be'],
        ['error-buckets', ['status'], 'the bucket belongs to the status that it should be'],
      ],
      document: [[['status'], 'the status may be none that the document declares']],
      parts: { ...on, onReply: (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer) },
    },
    {
      case: 'refused',
      variant: 'let-in',
      parts: {
        ...on,
        ...remembering((first, answer, { request }) =>
          answer.status === 401 && first !== undefined && shows(request) ? first : answer,
        ),
      },
    },
  ];
}

/** Ways to leave an error without its code. */
export function codeWays(policy: PolicyOf<'error-codes'>): readonly WayToBreak[] {
  const without =
    (path: string): Reply =>
    (answer) =>
      answer.status < 400 ? answer : onJson(answer, 'any', (body) => dropped(body, path.split('.')));
  const mislead = policy.codes.find(({ status }) => status !== undefined);
  const document: NonNullable<WayToBreak['document']> = [
    [['answer'], 'the document may describe the error as well'],
  ];
  return [
    {
      case: 'shape',
      variant: 'no-code',
      document,
      along: CODES,
      beside: BY_CODE,
      parts: { onReply: without(policy.code) },
    },
    { case: 'shape', variant: 'no-message', document, parts: { onReply: without(policy.message) } },
    ...(mislead === undefined
      ? []
      : [
          {
            case: 'status',
            variant: 'another-code',
            document,
            beside: BY_CODE,
            parts: {
              onReply: (answer) =>
                answer.status < 400 || answer.status === mislead.status
                  ? answer
                  : onJson(answer, 'any', (body) => put(body, policy.code.split('.'), mislead.name)),
            },
          } satisfies WayToBreak,
        ]),
  ];
}

/** Ways to name no bucket, or a wrong one. */
export function bucketWays(policy: PolicyOf<'error-buckets'>): readonly WayToBreak[] {
  const stated = policy.buckets.find(({ status }) => status !== undefined);
  const named = (name: string, unless?: number): Reply => {
    return (answer) =>
      answer.status < 400 || answer.status === unless ? answer : withHeaders(answer, [[policy.header, name]]);
  };
  return [
    {
      case: 'header',
      variant: 'none',
      parts: { onReply: (answer) => (answer.status < 400 ? answer : withoutHeaders(answer, policy.header)) },
    },
    { case: 'header', variant: 'unknown', parts: { onReply: named('tallystick-unknown') } },
    ...(stated === undefined
      ? []
      : [{ case: 'status', variant: 'another', parts: { onReply: named(stated.name, stated.status) } }]),
  ];
}

/** Ways to leave a header out. */
export function headerWays({ requestId = '' }: PolicyOf<'headers'>): readonly WayToBreak[] {
  return [
    {
      case: 'request-id',
      variant: 'none',
      document: [[['answer'], 'the document may ask for the header as well']],
      parts: { onReply: (answer) => withoutHeaders(answer, requestId) },
    },
  ];
}

/** The same value with something else at a path. */
export function put(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const inner = (value as Record<string, unknown>)[name];
  return { ...value, [name]: put(inner, rest, other) };
}

// --- internal ---

const CODES: NonNullable<WayToBreak['along']> = [
  [['status'], 'without a code nothing is said of its status'],
];

/** Refusals that other policies name by their codes. */
const BY_CODE: NonNullable<WayToBreak['beside']> = (
  [
    ['resource', ['missing', 'deleted']],
    ['conditional-write', ['mismatch', 'weak', 'required']],
    ['idempotency', ['used', 'mismatch', 'in-flight']],
    ['uniqueness', ['taken']],
    ['capacity', ['calls']],
    ['deadline', ['expired']],
  ] as const
).map(([kind, cases]) => [kind, cases, 'the refusal is known by its code']);

function dropped(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { [name]: inner, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [name]: dropped(inner, rest) };
}
