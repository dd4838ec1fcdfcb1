import type { Form } from '../../../contract/index.ts';
import type { BoardEvent } from './board.ts';

const node: Form = {
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
};

const order: Form = {
  members: {
    scope: 'string',
    work: {
      members: { nodes: { listOf: node }, totalMs: 'number', isStopped: 'boolean' },
      required: ['nodes', 'totalMs', 'isStopped'],
    },
    ahead: { members: { jobs: 'number', eachMs: 'number' }, required: ['jobs', 'eachMs'] },
    keptMs: 'number',
  },
  required: ['scope', 'work'],
};

const event = { kind: 'string', at: 'number', id: 'string' } as const;
const required = ['at', 'id'];

const events: Readonly<Record<BoardEvent['kind'], Form>> = {
  submit: { members: { ...event, order }, required: [...required, 'order'] },
  cancel: { members: { ...event, how: { oneOf: ['properly', 'at-once', 'stuck'] } }, required },
  push: {
    members: { ...event, how: { oneOf: ['step', 'succeed', 'fail', 'expire'] } },
    required: [...required, 'how'],
  },
};

/** The form of what was done to a job, where it comes from outside. */
export const eventForm: Form = { by: 'kind', cases: events };
