import { withHeaders, type Answer } from '../../../call/answer.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { eventNamesOf, isOver, isRunning, onStatusEvents, watching } from './wire.ts';
import { dataOf, eventNameOf, frameOf, onEvents, onFrames } from '../../../deviations/on-frames.ts';
import { resumes, snapshotWithout, staysOpen, unknownJobStreams } from './parts.ts';
import { along, breaks, when } from '../../../deviations/wire.ts';

const operations = watching;

/** Sends something after the first frame. */
const afterFirst = (extra: string): NonNullable<Deviation['onReply']> =>
  after((_frame, count) => (count === 1 ? extra : undefined));

const frames: readonly Deviation[] = [
  breaks('jobs.sse.content-type', 'another', {
    alsoFails: along('the link to the stream leads to another type', 'jobs.urls.resolvable'),
    operations,
    onReply: when(
      ({ body }) => body.kind === 'stream',
      (answer) => withHeaders(answer, [['Content-Type', 'application/event-stream']]),
    ),
  }),
  breaks('jobs.sse.frames', 'data-only', {
    operations,
    onReply: onProgress((frame, count) => (count === 3 ? frame.replace(/^event:.*\n/m, '') : frame)),
  }),
  breaks('jobs.sse.frames', 'event-only', {
    operations,
    alsoFails: along(
      'where the job has ended, it comes after the terminal status',
      'jobs.sse.nothing-after-terminal',
    ),
    onReply: afterFirst('event: note\n\n'),
  }),
  breaks('jobs.sse.frames', 'nameless-at-the-end', {
    operations,
    // Only where the job has ended before the stream is opened.
    onReply: (answer) =>
      onFrames(answer, async function* (all) {
        let count = 0;
        for await (const frame of all) {
          count += 1;
          if (count === 1 && isOver(dataOf(frame) ?? {})) yield `data: {"deviant":true}\n\n`;
          yield frame;
        }
      }),
  }),
  breaks('jobs.sse.json-data', 'plain-text', {
    operations,
    alsoFails: along(
      'where the job has ended, it comes after the terminal status',
      'jobs.sse.nothing-after-terminal',
    ),
    onReply: afterFirst('event: note\ndata: deviant on purpose\n\n'),
  }),
  breaks('jobs.sse.no-id', 'numbered', {
    operations,
    onReply: (answer) =>
      onFrames(answer, async function* (all) {
        let count = 0;
        for await (const frame of all)
          yield eventNameOf(frame) === undefined ? frame : `id: ${String((count += 1))}\n${frame}`;
      }),
  }),
  breaks('jobs.sse.status-carries-job', 'status-only', {
    operations,
    onReply: onStatusEvents(
      ({ status, queue_position: position }) => ({ status, queue_position: position }),
      isRunning,
    ),
  }),
  breaks('jobs.sse.progress-complete', 'deltas', {
    operations,
    onReply: (answer, seen) =>
      onEvents(answer, eventNamesOf(seen)?.['progress'] ?? '', (data, count) =>
        count === 1 ? { value: data['value'] } : data,
      ),
  }),
];

const snapshots: readonly Deviation[] = [
  breaks('jobs.sse.snapshot-status', 'left-out', {
    operations,
    replaces: { jobs: snapshotWithout('status') },
  }),
  breaks('jobs.sse.snapshot-progress', 'left-out', {
    operations,
    replaces: { jobs: snapshotWithout('progress') },
  }),
  breaks('jobs.sse.snapshot-preview', 'left-out', {
    operations,
    replaces: { jobs: snapshotWithout('preview') },
  }),
  breaks('jobs.sse.no-resume', 'replay', { operations, replaces: { jobs: resumes } }),
  breaks('jobs.sse.unknown-job', 'open', {
    operations,
    alsoFails: along("another account's job is as unknown", 'jobs.auth.scoped'),
    replaces: { jobs: unknownJobStreams },
  }),
];

const ends: readonly Deviation[] = [
  breaks('jobs.sse.connect-terminal', 'stays-open', { operations, replaces: { jobs: staysOpen('late') } }),
  breaks('jobs.sse.connect-terminal', 'resumed-behind-the-end', {
    operations,
    alsoFails: along('a stream without an event ends before it', 'jobs.sse.terminal-before-end'),
    onReply: (answer, seen) =>
      seen.request.header('last-event-id') === undefined
        ? answer
        : onFrames(answer, async function* (all) {
            for await (const frame of all) {
              if (isLast(frame)) return;
              yield frame;
            }
          }),
  }),
  breaks('jobs.sse.ends-after-terminal', 'stays-open', {
    operations,
    alsoFails: along('a stream without an end has nothing before it', 'jobs.sse.terminal-before-end'),
    replaces: { jobs: staysOpen('watching') },
  }),
  breaks('jobs.sse.nothing-after-terminal', 'trailing-progress', {
    operations,
    onReply: after((frame) => (isLast(frame) ? frameOf('note', { text: 'deviant on purpose' }) : undefined)),
  }),
  breaks('jobs.sse.terminal-before-end', 'ends-early', {
    operations,
    alsoFails: along(
      'a status that was not sent has nothing before, after or beside it',
      'jobs.read.authoritative',
      'jobs.sse.ends-after-terminal',
    ),
    onReply: (answer) =>
      onFrames(answer, async function* (all) {
        let count = 0;
        for await (const frame of all) {
          if (count > 0 && ['succeeded', 'failed'].includes(String(dataOf(frame)?.['status']))) return;
          count += 1;
          yield frame;
        }
      }),
  }),
];

/** Deviations of the live events. */
export const streamDeviations: readonly Deviation[] = [...frames, ...snapshots, ...ends];

// --- internal ---

function after(
  extra: (frame: string, count: number) => string | undefined,
): NonNullable<Deviation['onReply']> {
  return (answer) =>
    onFrames(answer, async function* (all) {
      let count = 0;
      for await (const frame of all) {
        yield frame;
        count += 1;
        const more = extra(frame, count);
        if (more !== undefined) yield more;
      }
    });
}

function onProgress(
  change: (frame: string, count: number) => string,
): (answer: Answer, seen: Parameters<typeof eventNamesOf>[0]) => Answer {
  return (answer, seen) =>
    onFrames(answer, async function* (all) {
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
