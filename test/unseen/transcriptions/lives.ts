import { digest, type Thing } from '../wire.ts';

export type Has = (fault: string) => boolean;

/** A transcription. What was sent stays, apart from its label, its notes and its speakers. */
export interface Transcription {
  readonly id: string;
  readonly serial: number;
  readonly owner: string;
  readonly project: string;
  readonly sent: Thing;
  readonly submittedAt: number;
  readonly attempt: number;
  readonly retryOf: string | undefined;
  /** The events for those who watch. */
  readonly log: { readonly event: string; readonly data: Thing }[];
  changing: Thing;
  state: string;
  revision: number;
  /** The quarters of it for which there was an event. */
  quarters: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  cancelledIn: string | undefined;
  retriedBy: string | undefined;
  isGone: boolean;
  /** How much of the log was sent: only a server with the fault has one place for all streams. */
  told: number;
}

const second = 1000;
const day = 24 * 60 * 60 * second;
const ends = ['completed', 'failed', 'cancelled'];

export const isOpen = ({ state }: Transcription): boolean => !ends.includes(state);

export const tagOf = ({ id, revision }: { readonly id: string; readonly revision: number }): string =>
  `"${digest(`${id} ${String(revision)}`)}"`;

export const time = (at: number): string => new Date(at).toISOString();

export const secondsOf = ({ sent }: Transcription): number => Number((sent['source'] as Thing)['seconds']);

export const expiryOf = ({ submittedAt }: Transcription): number => submittedAt + 30 * day;

/** Does what has happened by itself until now. */
export function settle(one: Transcription, now: number, has: Has): void {
  for (let step = nextStep(one, has); step !== undefined && step.at <= now; step = nextStep(one, has)) {
    step.act(step.at);
  }
}

/** Ends a transcription by a call. */
export function cancel(one: Transcription, now: number, has: Has): void {
  one.cancelledIn = one.state;
  one.endedAt = now;
  turn(one, 'cancelled', has, !has('stream-misses-cancel'));
}

/** Notes a change for those who watch. */
export function tell(one: Transcription, has: Has): void {
  one.log.push({ event: 'state', data: shown(one, has) });
}

/** A transcription as callers see it. */
export function shown(one: Transcription, has: Has): Thing {
  const { id, state, startedAt, endedAt, retryOf, retriedBy } = one;
  const self = `/projects/${one.project}/transcriptions/${id}`;
  const isExpected = isOpen(one) || (state === 'failed' && has('failed-keeps-ready-by'));
  return {
    id,
    project_id: one.project,
    ...one.sent,
    ...one.changing,
    state,
    attempt: one.attempt,
    ...(retryOf === undefined ? {} : { retry_of: retryOf }),
    ...(retriedBy === undefined ? {} : { retried_by: retriedBy }),
    submitted_at: time(one.submittedAt),
    ...(startedAt === undefined ? {} : { started_at: time(startedAt) }),
    ...(isExpected ? { ready_by: time(readyAt(one)) } : {}),
    ...(endedAt === undefined ? {} : { ended_at: time(endedAt) }),
    expires_at: time(expiryOf(one)),
    ...(state === 'completed' ? { result: resultOf(one) } : {}),
    ...(state === 'failed' ? { failure: { reason: 'unreadable', message: 'The source is no audio.' } } : {}),
    links: { self, events: `${self}/events` },
  };
}

/** The text of a recording, in parts of 10 seconds. */
export function segmentsOf(one: Transcription, has: Has): readonly Thing[] {
  const whole = secondsOf(one);
  return Array.from({ length: Math.ceil(whole / 10) }, (_, at) => ({
    number: at + 1,
    speaker: at % 3 === 1 ? 'S2' : 'S1',
    start: at * 10,
    end: has('last-segment-too-long') ? (at + 1) * 10 : Math.min((at + 1) * 10, whole),
    text: `These are the words of part ${String(at + 1)}.`,
  }));
}

// --- internal ---

interface Step {
  readonly at: number;
  readonly act: (at: number) => void;
}

function turn(one: Transcription, state: string, has: Has, isTold = true): void {
  one.state = state;
  one.revision += 1;
  if (isTold) tell(one, has);
}

/** How long the transcription itself takes. */
const lengthOf = (one: Transcription): number =>
  Math.max(6 * second, Math.ceil((secondsOf(one) / 60) * second));

const readyAt = (one: Transcription): number => one.submittedAt + 5 * second + lengthOf(one);

/** What happens next by itself, unless a call comes before. */
function nextStep(one: Transcription, has: Has): Step | undefined {
  const end = (state: string) => (at: number) => {
    one.endedAt = at;
    turn(one, state, has);
  };
  const isLeft =
    one.state === 'cancelled' && one.cancelledIn === 'transcribing' && has('cancelled-completes');
  if (isLeft) return { at: readyAt(one), act: end('completed') };
  if (one.state === 'queued') {
    const prepare = (at: number): void => {
      one.startedAt = at;
      turn(one, 'preparing', has);
    };
    return { at: one.submittedAt + 2 * second, act: prepare };
  }
  if (one.state === 'preparing') {
    const start = (): void => {
      turn(one, 'transcribing', has);
    };
    return { at: one.submittedAt + 5 * second, act: isAudio(one) ? start : end('failed') };
  }
  if (one.state !== 'transcribing') return undefined;
  if (one.quarters === 3) return { at: readyAt(one), act: end('completed') };
  const quarter = one.quarters + 1;
  const progress = (): void => {
    one.quarters = quarter;
    one.log.push({ event: 'progress', data: { percent: quarter * 25 } });
  };
  const left = Math.floor((lengthOf(one) * (4 - quarter)) / 4);
  return { at: readyAt(one) - left, act: progress };
}

function isAudio({ sent }: Transcription): boolean {
  const [path = ''] = String((sent['source'] as Thing)['url']).split(/[?#]/);
  return !path.toLowerCase().endsWith('.txt');
}

function resultOf(one: Transcription): Thing {
  const segments = Math.ceil(secondsOf(one) / 10);
  return { segments, words: 7 * segments, confidence: 0.93 };
}
