import { deadlineAt } from '../contract/policies/deadline.ts';
import { shortestLeaseMs } from './lease.ts';
import { JSON_DEPTH } from './nesting.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';
import type { ServerCaller } from './handler.ts';
import type { ServerOptions } from './settings.ts';
import { LONGEST_MS } from './store.ts';

/** The limits of a server, in bytes and milliseconds: from its options, or the defaults. */
export interface Limits {
  readonly bodyBytes: number;
  readonly formFields: number;
  readonly jsonDepth: number;
  readonly replayCapBytes: number;
  readonly storeTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly deadlineMs: (operation: ServedOperation) => number;
  readonly leaseMs: (operation: ServedOperation) => number;
}

/** @throws {RangeError} if a slow store could end a claim unnoticed */
export function limitsOf<Caller extends ServerCaller>(
  api: ServedApi,
  options: ServerOptions<Caller>,
): Limits {
  const { storeTimeoutMs = 5 * SECOND_MS } = options;
  const deadlineMs = ({ deadline }: ServedOperation): number =>
    deadline === undefined ? 30 * SECOND_MS : deadlineAt(deadline, 0, options.deadlineMs);
  const shortestMs = (operation: ServedOperation): number =>
    shortestLeaseMs(operation.deadline === undefined ? 0 : deadlineMs(operation), storeTimeoutMs);
  const leaseMs = (operation: ServedOperation): number =>
    options.leaseMs ?? Math.max(deadlineMs(operation) + 30 * SECOND_MS, shortestMs(operation));
  for (const operation of api.operations) {
    const usesLeases =
      operation.idempotency?.mode === 'replay' ||
      (operation.capacity !== undefined && options.capacity !== undefined);
    const [lease, shortest] = [leaseMs(operation), shortestMs(operation)];
    if (!usesLeases || (lease >= shortest && lease <= LONGEST_MS)) continue;
    throw new RangeError(
      `leaseMs is ${String(lease)}, but ${operation.id} needs ${String(shortest)} to ${String(LONGEST_MS)} ms: at least ` +
        `its deadline plus 1.5 x (storeTimeoutMs, which is ${String(storeTimeoutMs)}, + 1000)`,
    );
  }
  const { bodyBytes = 10 * MIB, replayCapBytes = MIB, keepAliveMs = 15 * SECOND_MS } = options;
  const { formFields = FORM_FIELDS, jsonDepth = JSON_DEPTH } = options;
  return {
    bodyBytes,
    formFields,
    jsonDepth,
    replayCapBytes,
    storeTimeoutMs,
    keepAliveMs,
    deadlineMs,
    leaseMs,
  };
}

// --- internal ---

const SECOND_MS = 1_000;
const MIB = 1_048_576;
/** The usual default of other frameworks. */
const FORM_FIELDS = 1_000;
