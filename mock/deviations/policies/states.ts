import type { PolicyOf } from '../../../contract/index.ts';
import type { Contract, JsonObject } from '../../../contract/model.ts';
import { waysCausedBy } from '../../../contract/policies/lifecycle.ts';
import { joinPointer, valueAt } from '../../../contract/pointer.ts';
import { headerOf, type Answer } from '../../call/answer.ts';
import { put, withHeader, type AnswerChange } from '../changes.ts';
import { isSuccess, when } from '../conditions.ts';
import { onJson, type DeviationView } from '../deviation.ts';
import { dataOf, eventNameOf, frameOf, onFrames } from '../on-frames.ts';
import { at, nothing } from './on-things.ts';
import { alongCases, alongPolicy, anotherStatus, documented, withOtherStatus, type Ways } from './broken.ts';

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
  /** Changes reads of a thing, by its state and by how often it was read. */
  const shown = (change: (item: JsonObject, state: string, reads: number) => JsonObject): AnswerChange =>
    when([isSuccess, (_, { request }) => request.method === 'GET'], (answer, { request }) =>
      onJson(answer, 'any', (body) => {
        const state = valueAt(body, joinPointer('', ...path));
        if (typeof state !== 'string' || !policy.states.includes(state)) return body;
        const reads = looks.get(request.path) ?? 0;
        looks.set(request.path, reads + 1);
        return change(body as JsonObject, state, reads);
      }),
    );
  const later = policy.states.find((state) => state !== policy.initial) ?? policy.initial;
  return {
    'states~unknown': [
      told(() => 'tallystick-unknown'),
      alongCases('the state of a refusal cannot be read', 'refused'),
      filteredByState,
      documented('the document may list the states as well', 'answer'),
    ],
    'initial~later': [
      told((state, _, { status }) => (status === 201 || status === 202 ? later : state)),
      alongCases('what follows is an earlier state', 'transitions'),
      filteredByState,
    ],
    ...(calls.length === 0
      ? {}
      : {
          'transitions~not-stored': [
            at(
              calls.map(({ id }) => id),
              () => ({ put: nothing }),
            ),
            alongCases('a call seems to be possible again', 'refused'),
            filteredByState,
            alongPolicy('event-stream', 'no event shows a terminal state', 'end', 'states', 'first'),
          ] as const,
        }),
    ...memberWays(policy, shown),
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
          'transitions~back': [
            told((state, { request }) => {
              if (request.method !== 'GET') return state;
              const count = looks.get(request.path) ?? 0;
              looks.set(request.path, count + 1);
              return count % 2 === 0 ? end : policy.initial;
            }),
            alongCases('a call seems to be refused in another state', 'refused'),
            alongPolicy('resource', 'what comes back is not seen in its state', 'restored'),
            alongPolicy('conditional-get', 'two states have one tag', 'changed'),
            filteredByState,
          ],
        }),
  };
}

/** Ways to send wrong events. */
export function streamWays({ sheet }: Contract, policy: PolicyOf<'event-stream'>): Ways {
  const lifecycle = sheet?.policies.find((one) => one.kind === 'lifecycle');
  const property = lifecycle?.property.split('.') ?? [];
  const unknown = lifecycle === undefined ? {} : put({}, property, 'tallystick-unknown');
  const { status: name } = policy.events;
  const data = /^data: ?.*$/gm;
  const isStatus = (frame: string): boolean => eventNameOf(frame) === name;
  return {
    'frames~another-type': [
      when(
        (answer) => headerOf(answer, 'Content-Type') !== undefined,
        withHeader('Content-Type', 'text/plain'),
      ),
      alongCases('nothing is read as events', 'first', 'states', 'end'),
      documented('the document declares the media type as well', 'answer'),
    ],
    'frames~no-json': [
      onEachFrame((frame) => frame.replace(data, 'data: {')),
      alongCases('the states cannot be read', 'states', 'end'),
    ],
    ...(policy.stateFirst === true
      ? {
          'first~left-out': [
            onFrames(async function* (frames) {
              let isLeftOut = false;
              for await (const frame of frames) {
                if (isLeftOut || !isStatus(frame)) yield frame;
                else isLeftOut = true;
              }
            }),
            alongCases('the only state may be the first one', 'frames', 'end'),
          ] as const,
        }
      : {}),
    'states~unknown': [
      onEachFrame((frame) =>
        isStatus(frame) ? frame.replace(data, `data: ${JSON.stringify(unknown)}`) : frame,
      ),
      alongCases('no event shows a terminal state', 'end'),
    ],
    'frames~other-names': [
      onEachFrame((frame) => frame.replace(`event: ${name}\n`, 'event: tallystick\n')),
      alongCases('no event shows a state', 'first', 'end', 'states'),
    ],
    ...(policy.thing === undefined
      ? {}
      : {
          'thing~state-only': [
            onEachFrame((frame) => {
              const state = valueAt(dataOf(frame), joinPointer('', ...property));
              return isStatus(frame) && isText(state) ? frameOf(name, put({}, property, state)) : frame;
            }),
            alongPolicy('lifecycle', 'the members of the state are left out', 'members'),
          ] as const,
          'live~another-thing': [
            onEachFrame((frame) => {
              const { id, ...others } = dataOf(frame) ?? {};
              return isStatus(frame) && isText(id) ? frameOf(name, { id: `other-${id}`, ...others }) : frame;
            }),
            alongCases('the document may describe ids', 'thing'),
          ] as const,
        }),
    ...(policy.terminalLast === true
      ? {
          'last~one-more': onFrames(async function* (frames) {
            for await (const frame of frames) {
              yield frame;
              const state = isStatus(frame)
                ? valueAt(dataOf(frame), joinPointer('', ...property))
                : undefined;
              if (isText(state) && lifecycle?.terminal.includes(state) === true)
                yield frameOf(policy.events.progress ?? 'tallystick', {});
            }
          }),
        }
      : {}),
    ...(policy.liveOnly === true
      ? {
          'live-only~numbered': onFrames(async function* (frames) {
            let number = 0;
            for await (const frame of frames)
              yield eventNameOf(frame) === undefined ? frame : `id: ${String((number += 1))}\n${frame}`;
          }),
        }
      : {}),
    'end~open': onFrames(async function* (frames) {
      yield* frames;
      await new Promise((resolve) => setTimeout(resolve, OPEN_MS).unref());
    }),
  };
}

// --- internal ---

/** Ways to show other members than a state has, other times than before, and changes after the end. */
function memberWays(
  { members = {}, times, frozen, terminal }: PolicyOf<'lifecycle'>,
  shown: (change: (item: JsonObject, state: string, reads: number) => JsonObject) => AnswerChange,
): Ways {
  const [member] = Object.entries(members);
  const [birth] = times?.order ?? [];
  const [kept] = frozen ?? [];
  const another = documented('the document may describe the member as well', 'answer');
  return {
    ...(member === undefined
      ? {}
      : {
          'members~otherwise': [
            shown((item, state) => {
              const [name, { in: states = [], notIn = [] }] = member;
              if (states.includes(state)) return put(item, name.split('.'), null) as JsonObject;
              return notIn.includes(state) ? (put(item, name.split('.'), 'tallystick') as JsonObject) : item;
            }),
            alongCases('another value is seen than before', 'times', 'frozen'),
            another,
          ] as const,
        }),
    ...(birth === undefined
      ? {}
      : {
          'times~moving': [
            shown(
              (item, _, reads) =>
                put(item, birth.split('.'), new Date(reads * 86_400_000).toISOString()) as JsonObject,
            ),
            another,
          ] as const,
        }),
    ...(kept === undefined
      ? {}
      : {
          'frozen~changed-later': [
            shown((item, state, reads) =>
              terminal.includes(state) && reads % 2 === 1
                ? (put(item, kept.split('.'), `tallystick-${String(reads)}`) as JsonObject)
                : item,
            ),
            alongCases('the member may be one that a state has', 'members'),
            another,
          ] as const,
        }),
  };
}

const filteredByState = alongPolicy(
  'resource',
  'lists are filtered by another state than the one shown',
  'filtered',
);

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Longer than any test waits, without keeping the process alive. */
const OPEN_MS = 60_000;

function onEachFrame(change: (frame: string) => string): AnswerChange {
  return onFrames(async function* (frames) {
    for await (const frame of frames) yield change(frame);
  });
}
