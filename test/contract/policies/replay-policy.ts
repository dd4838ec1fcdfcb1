import type { ReplayPolicy } from '../../../contract/policies/idempotency-replay.ts';

/** The facts of document 1, written down a second time: a slip in the sheet must not carry its tests along. */
export const replayPolicy: ReplayPolicy = {
  kind: 'idempotency',
  mode: 'replay',
  operations: ['runModel'],
  requestHeader: 'Idempotency-Key',
  replayHeader: { name: 'Idempotent-Replayed', value: 'true' },
  window: 'PT24H',
  release: ['5xx', 408, 425, 429],
  inFlight: { status: 409, retryAfter: true },
  consumed: { status: 409 },
  mismatch: { status: 409 },
  collecting: { status: 504, marker: 'Retry-After' },
};

export const hour = 3_600_000;
