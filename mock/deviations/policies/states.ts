import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/model.ts';
import type { Answer } from '../../call/answer.ts';
import { bodyText } from '../../call/answer.ts';
import { type Deviation, onJson } from '../deviation.ts';
import type { WayToBreak } from './broken.ts';
import { put } from './errors.ts';
import { isSuccess } from './keys.ts';

/** Ways to tell wrong states. They work on answers that are the resource, and not on lists of it. */
export function stateWays(policy: PolicyOf<'lifecycle'>): readonly WayToBreak[] {
  const path = policy.property.split('.');
  const [end] = policy.terminal;
  const told = (
    change: (state: string, seen: Parameters<NonNullable<Deviation['onReply']>>[1], answer: Answer) => string,
  ): WayToBreak['parts'] => ({
    onReply: (answer, seen) =>
      isSuccess(answer)
        ? onJson(answer, 'any', (body) => {
            const state = path.reduce<unknown>(memberOf, body);
            return typeof state === 'string' && policy.states.includes(state)
              ? put(body, path, change(state, seen, answer))
              : body;
          })
        : answer,
  });
  const looks = new Map<string, number>();
  const later = policy.states.find((state) => state !== policy.initial) ?? policy.initial;
  const document: NonNullable<WayToBreak['document']> = [
    [['answer'], 'the document may list the states as well'],
  ];
  return [
    { case: 'states', variant: 'unknown', document, parts: told(() => 'tallystick-unknown') },
    {
      case: 'initial',
      variant: 'later',
      along: [[['transitions'], 'what follows is an earlier state']],
      parts: told((state, _, answer) => (answer.status === 201 || answer.status === 202 ? later : state)),
    },
    ...(end === undefined
      ? []
      : [
          {
            case: 'transitions',
            variant: 'back',
            parts: told((state, { request }) => {
              if (request.method !== 'GET') return state;
              const count = looks.get(request.path) ?? 0;
              looks.set(request.path, count + 1);
              return count % 2 === 0 ? end : policy.initial;
            }),
          } satisfies WayToBreak,
        ]),
  ];
}

/** Ways to send wrong events. */
export function streamWays({ sheet }: Contract, policy: PolicyOf<'event-stream'>): readonly WayToBreak[] {
  const lifecycle = sheet?.policies.find((one) => one.kind === 'lifecycle');
  const text = (change: (frames: string) => string): WayToBreak['parts'] => ({
    onReply: (answer) =>
      isSuccess(answer) && answer.body.kind === 'bytes'
        ? { ...answer, body: { kind: 'bytes', bytes: Buffer.from(change(bodyText(answer.body))) } }
        : answer,
  });
  const data = /^data: ?.*$/gm;
  return [
    {
      case: 'frames',
      variant: 'another-type',
      along: [[['states', 'end'], 'nothing is read as events']],
      document: [[['answer'], 'the document declares the media type as well']],
      parts: {
        onReply: (answer) => ({
          ...answer,
          headers: answer.headers.map(([name, value]) =>
            /^content-type$/i.test(name) ? [name, 'text/plain'] : [name, value],
          ),
        }),
      },
    },
    {
      case: 'frames',
      variant: 'no-json',
      along: [[['states', 'end'], 'the states cannot be read']],
      parts: text((frames) => frames.replace(data, 'data: {')),
    },
    {
      case: 'states',
      variant: 'unknown',
      along: [[['end'], 'no event tells a terminal state']],
      parts: text((frames) =>
        frames.replace(
          data,
          `data: ${JSON.stringify(lifecycle === undefined ? {} : put({}, lifecycle.property.split('.'), 'tallystick-unknown'))}`,
        ),
      ),
    },
    {
      case: 'frames',
      variant: 'other-names',
      along: [[['end', 'states'], 'no event tells a state']],
      parts: text((frames) => frames.replaceAll(`event: ${policy.events.status}`, 'event: tallystick')),
    },
    {
      case: 'end',
      variant: 'open',
      parts: {
        onReply: (answer) =>
          isSuccess(answer) && answer.body.kind === 'bytes'
            ? { ...answer, body: { kind: 'stream', chunks: endless(answer.body.bytes) } }
            : answer,
      },
    },
  ];
}

// --- internal ---

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Longer than anybody waits for an end, and no reason for a process to stay. */
const OPEN_MS = 60_000;

async function* endless(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise((resolve) => setTimeout(resolve, OPEN_MS).unref());
}
