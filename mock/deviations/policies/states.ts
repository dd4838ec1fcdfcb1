import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/model.ts';
import { waysCausedBy } from '../../../contract/policies/lifecycle.ts';
import { joinPointer, valueAt } from '../../../contract/pointer.ts';
import { bodyText, headerOf, type Answer } from '../../call/answer.ts';
import { put, withHeader, type AnswerChange } from '../changes.ts';
import { isSuccess, when } from '../conditions.ts';
import { onJson, type DeviationView } from '../deviation.ts';
import { alongCases, anotherStatus, documented, withOtherStatus, type Ways } from './broken.ts';

/** Ways to tell wrong states. They work on answers that are the resource, and not on lists of it. */
export function stateWays({ operations, sheet }: Contract, policy: PolicyOf<'lifecycle'>): Ways {
  const calls = operations.filter((one) => one.method !== 'get' && waysCausedBy(policy, one).length > 0);
  const patches = (sheet?.policies ?? []).flatMap((one) =>
    one.kind === 'resource' ? (one.operations.patch ?? []) : [],
  );
  const path = policy.property.split('.');
  const [end] = policy.terminal;
  const told =
    (change: (state: string, seen: DeviationView, answer: Answer) => string): AnswerChange =>
    (answer, seen) =>
      !isSuccess(answer)
        ? answer
        : onJson(answer, 'any', (body) => {
            const state = valueAt(body, joinPointer('', ...path));
            return typeof state === 'string' && policy.states.includes(state)
              ? put(body, path, change(state, seen, answer))
              : body;
          });
  const looks = new Map<string, number>();
  const later = policy.states.find((state) => state !== policy.initial) ?? policy.initial;
  return {
    'states~unknown': [
      told(() => 'tallystick-unknown'),
      documented('the document may list the states as well', 'answer'),
    ],
    'initial~later': [
      told((state, _, { status }) => (status === 201 || status === 202 ? later : state)),
      alongCases('what follows is an earlier state', 'transitions'),
    ],
    ...(policy.refusal === undefined
      ? {}
      : {
          'refused~another-status': [
            {
              operations: calls.length > 0 ? calls.map(({ id }) => id) : patches,
              onReply: withOtherStatus(policy.refusal.status),
            },
            anotherStatus,
          ] as const,
        }),
    ...(end === undefined
      ? {}
      : {
          'transitions~back': told((state, { request }) => {
            if (request.method !== 'GET') return state;
            const count = looks.get(request.path) ?? 0;
            looks.set(request.path, count + 1);
            return count % 2 === 0 ? end : policy.initial;
          }),
        }),
  };
}

/** Ways to send wrong events. */
export function streamWays({ sheet }: Contract, policy: PolicyOf<'event-stream'>): Ways {
  const lifecycle = sheet?.policies.find((one) => one.kind === 'lifecycle');
  const unknown = lifecycle === undefined ? {} : put({}, lifecycle.property.split('.'), 'tallystick-unknown');
  const data = /^data: ?.*$/gm;
  return {
    'frames~another-type': [
      when(
        (answer) => headerOf(answer, 'Content-Type') !== undefined,
        withHeader('Content-Type', 'text/plain'),
      ),
      alongCases('nothing is read as events', 'states', 'end'),
      documented('the document declares the media type as well', 'answer'),
    ],
    'frames~no-json': [
      onEvents((frames) => Buffer.from(frames.replace(data, 'data: {'))),
      alongCases('the states cannot be read', 'states', 'end'),
    ],
    'states~unknown': [
      onEvents((frames) => Buffer.from(frames.replace(data, `data: ${JSON.stringify(unknown)}`))),
      alongCases('no event shows a terminal state', 'end'),
    ],
    'frames~other-names': [
      onEvents((frames) =>
        Buffer.from(frames.replaceAll(`event: ${policy.events.status}`, 'event: tallystick')),
      ),
      alongCases('no event shows a state', 'end', 'states'),
    ],
    'end~open': onEvents((frames) => endless(Buffer.from(frames))),
  };
}

// --- internal ---

/** Replaces the events of an answer by other bytes, or by a stream of them. */
function onEvents(change: (frames: string) => Uint8Array | AsyncIterable<Uint8Array>): AnswerChange {
  return (answer) => {
    if (!isSuccess(answer) || answer.body.kind !== 'bytes') return answer;
    const made = change(bodyText(answer.body));
    return {
      ...answer,
      body: ArrayBuffer.isView(made) ? { kind: 'bytes', bytes: made } : { kind: 'stream', chunks: made },
    };
  };
}

/** Longer than any test waits, without keeping the process alive. */
const OPEN_MS = 60_000;

async function* endless(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise((resolve) => setTimeout(resolve, OPEN_MS).unref());
}
