import { along, bySearch } from '../../../deviations/breaks.ts';
import { withHeader, type AnswerChange } from '../../../deviations/changes.ts';
import { sends, when } from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { dataOf, eventNameOf, frameOf, onEvents, onFrames } from '../../../deviations/on-frames.ts';
import {
  resumes,
  snapshotWithout,
  staysOpen,
  unknownJobStreams,
  updatesForTheFirst,
  updatesOfOthers,
} from './parts.ts';
import { eventNamesOf, isOver, isRunning, onStatusEvents, onWatch } from './wire.ts';

/** Sends something after the first frame. */
const afterFirst = (extra: string): AnswerChange =>
  after((_frame, count) => (count === 1 ? extra : undefined));

const incomparable = along(
  'what the read shows cannot be compared with a part',
  'jobs.job.progress-same-data',
);

const frames: readonly Deviation[] = onWatch({
  'jobs.sse.content-type~another': [
    when(({ body }) => body.kind === 'stream', withHeader('Content-Type', 'application/event-stream')),
    along('the link to the stream leads to another type', 'jobs.urls.resolvable'),
  ],
  'jobs.sse.frames~data-only': onProgress((frame, count) =>
    count === 3 ? frame.replace(/^event:.*\n/m, '') : frame,
  ),
  'jobs.sse.frames~event-only': afterFirst('event: note\n\n'),
  // Only if the job has ended before the stream is opened.
  'jobs.sse.frames~nameless-at-the-end': onFrames(async function* (all) {
    let count = 0;
    for await (const frame of all) {
      count += 1;
      if (count === 1 && isOver(dataOf(frame) ?? {})) yield `data: {"deviant":true}\n\n`;
      yield frame;
    }
  }),
  'jobs.sse.json-data~plain-text': afterFirst('event: note\ndata: deviant on purpose\n\n'),
  'jobs.sse.no-id~numbered': onFrames(async function* (all) {
    let count = 0;
    for await (const frame of all)
      yield eventNameOf(frame) === undefined ? frame : `id: ${String((count += 1))}\n${frame}`;
  }),
  'jobs.sse.status-carries-job~status-only': onStatusEvents(
    ({ status, queue_position: position }) => ({ status, queue_position: position }),
    isRunning,
  ),
  'jobs.sse.progress-complete~deltas': onEvents(
    (seen) => eventNamesOf(seen)?.['progress'],
    (data, count) => (count === 1 ? { value: data['value'] } : data),
  ),
  'jobs.sse.progress-complete~list': [
    onEvents(
      (seen) => eventNamesOf(seen)?.['progress'],
      (data, count) => (count > 2 ? [data] : data),
    ),
    incomparable,
  ],
  // Only the first event of a stream that was opened while the job ran.
  'jobs.sse.progress-complete~part-where-joined': partsWhereJoined(({ frame }) => frame === 1),
  // All but the first event of such a stream.
  'jobs.sse.progress-complete~deltas-where-joined': partsWhereJoined(({ progress }) => progress > 0),
});

const snapshots: readonly Deviation[] = onWatch({
  'jobs.sse.snapshot-status~left-out': { jobs: snapshotWithout('status') },
  'jobs.sse.snapshot-progress~left-out': { jobs: snapshotWithout('progress') },
  'jobs.sse.snapshot-preview~left-out': { jobs: snapshotWithout('preview') },
  'jobs.sse.no-resume~replay': { jobs: resumes },
  'jobs.sse.future-updates~only-the-first': { jobs: updatesForTheFirst },
  'jobs.sse.own-job~all-of-the-caller': [
    { jobs: updatesOfOthers },
    // Only if another job of the account runs beside.
    bySearch('events of another job come in between', 'jobs.sse.snapshot-progress', 'jobs.sse.no-resume'),
  ],
  'jobs.sse.unknown-job~open': [
    { jobs: unknownJobStreams },
    along("another account's job is as unknown", 'jobs.auth.scoped'),
  ],
});

const ends: readonly Deviation[] = onWatch({
  'jobs.sse.connect-terminal~stays-open': { jobs: staysOpen('over') },
  'jobs.sse.connect-terminal~resumed-behind-the-end': [
    when(
      sends('last-event-id'),
      onFrames(async function* (all) {
        for await (const frame of all) {
          if (isLast(frame)) return;
          yield frame;
        }
      }),
    ),
    along('a stream without an event ends before it', 'jobs.sse.terminal-before-end'),
  ],
  'jobs.sse.ends-after-terminal~stays-open': [
    { jobs: staysOpen('waiting', 'working', 'stopping') },
    along('a stream without an end has nothing before it', 'jobs.sse.terminal-before-end'),
  ],
  'jobs.sse.ends-after-terminal~stays-open-while-canceling': { jobs: staysOpen('stopping') },
  'jobs.sse.nothing-after-terminal~trailing-progress': after((frame) =>
    isLast(frame) ? frameOf('note', { text: 'deviant on purpose' }) : undefined,
  ),
  'jobs.sse.terminal-before-end~ends-early': [
    onFrames(async function* (all) {
      let count = 0;
      for await (const frame of all) {
        if (count > 0 && ['succeeded', 'failed'].includes(String(dataOf(frame)?.['status']))) return;
        count += 1;
        yield frame;
      }
    }),
    along('a status that was not sent has nothing beside it', 'jobs.read.authoritative'),
  ],
});

/** Deviations of the live events. */
export const streamDeviations: readonly Deviation[] = [...frames, ...snapshots, ...ends];

// --- internal ---

/** Sends a part of chosen progress events, on streams that were opened while the job ran. Both counts begin at 0. */
function partsWhereJoined(
  isPart: (counts: { readonly frame: number; readonly progress: number }) => boolean,
): AnswerChange {
  return onFrames(async function* (all, seen) {
    const names = eventNamesOf(seen);
    let isJoined = false;
    const counts = { frame: 0, progress: 0 };
    for await (const frame of all) {
      const [name, data] = [eventNameOf(frame), dataOf(frame) ?? {}];
      if (counts.frame === 0 && name === names?.['status']) isJoined = isRunning(data);
      const isProgress = name !== undefined && name === names?.['progress'];
      yield isJoined && isProgress && isPart(counts) ? frameOf(name, { value: data['value'] }) : frame;
      counts.frame += 1;
      if (isProgress) counts.progress += 1;
    }
  });
}

function after(extra: (frame: string, count: number) => string | undefined): AnswerChange {
  return onFrames(async function* (all) {
    let count = 0;
    for await (const frame of all) {
      yield frame;
      count += 1;
      const more = extra(frame, count);
      if (more !== undefined) yield more;
    }
  });
}

function onProgress(change: (frame: string, count: number) => string): AnswerChange {
  return onFrames(async function* (all, seen) {
    let count = 0;
    for await (const frame of all) {
      const isOne = eventNameOf(frame) === eventNamesOf(seen)?.['progress'];
      if (isOne) count += 1;
      yield isOne ? change(frame, count) : frame;
    }
  });
}

function isLast(frame: string): boolean {
  return isOver(dataOf(frame) ?? {});
}
