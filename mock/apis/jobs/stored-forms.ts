import type { Form } from '../../../contract/index.ts';
import type { Formed } from '../../../contract/form.ts';
import { changeOf } from '../../state/durable-state.ts';

/** A running node, in ticks of time; it begins `fromMs` after the start of its job. */
const workNodeForm = {
  members: {
    id: 'string',
    className: 'string',
    ticks: 'number',
    tickMs: 'number',
    fromMs: 'number',
    makes: { oneOf: ['image', 'text'] },
    text: 'string',
    previews: 'boolean',
    fails: 'boolean',
  },
  required: ['id', 'className', 'ticks', 'tickMs', 'fromMs', 'text', 'previews', 'fails'],
} as const satisfies Form;
export type WorkNode = Readonly<Formed<typeof workNodeForm>>;

/** The work of a job: its nodes in order. `isStopped`: it is cancelled before its end. */
const workForm = {
  members: { nodes: { listOf: workNodeForm }, totalMs: 'number', isStopped: 'boolean' },
  required: ['nodes', 'totalMs', 'isStopped'],
} as const satisfies Form;
export type Work = Readonly<Formed<typeof workForm>>;

/**
 * The data for a new job. `ahead`: fictitious jobs before it in the queue. `keptMs`: how long it is kept, if
 * that differs from the default.
 */
const orderForm = {
  members: {
    scope: 'string',
    work: workForm,
    ahead: { members: { jobs: 'number', eachMs: 'number' }, required: ['jobs', 'eachMs'] },
    keptMs: 'number',
  },
  required: ['scope', 'work'],
} as const satisfies Form;
export type JobOrder = Readonly<Formed<typeof orderForm>>;

const event = { at: 'number', id: 'string' } as const;

/** An external action on a job. Everything else that happens to the job follows from the time. */
const eventForm = {
  by: 'kind',
  cases: {
    submit: { members: { kind: 'string', ...event, order: orderForm }, required: ['at', 'id', 'order'] },
    cancel: {
      members: { kind: 'string', ...event, how: { oneOf: ['properly', 'at-once', 'stuck'] } },
      required: ['at', 'id'],
    },
    push: {
      members: { kind: 'string', ...event, how: { oneOf: ['step', 'succeed', 'fail', 'expire'] } },
      required: ['at', 'id', 'how'],
    },
  },
} as const satisfies Form;
export type BoardEvent = Readonly<Formed<typeof eventForm>>;

/** A used key, as it is shown and stored. */
const claimForm = {
  members: { state: { oneOf: ['submitting', 'claimed'] }, fence: 'string', expiresAt: 'number' },
  required: ['fence', 'expiresAt'],
} as const satisfies Form;

/** The forms of the changes that this API records, by part. */
export const jobsChanges = {
  'jobs.key': changeOf({ id: 'string', record: { nullOr: claimForm } }),
  'jobs.event': changeOf({ event: eventForm }),
  'jobs.asset': changeOf({ asset: { members: { id: 'string', owner: 'string' }, required: ['id'] } }),
};
