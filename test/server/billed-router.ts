import { expect } from 'vitest';
import { createServer, refuse, type RunModelReply, type Server } from '../../generated/router/server.ts';
import { memoryStore, type Store } from '../../generated/server-runtime/index.ts';

/** What its model does, by the header `X-Effect` of a call: the body of a key has to stay the same. */
export const effects = [
  ...[
    'result',
    'provider-timeout',
    'collectable',
    'provider-error',
    'unavailable',
    'endless',
    'rejects',
    'late',
  ],
] as const;

/** A charge, as the ledger of the handler has it. */
interface Charge {
  readonly key: string | undefined;
  readonly requestId: string;
  readonly at: number;
}

/** An answer, as its caller saw it. */
export interface Answered {
  readonly key: string | undefined;
  readonly requestId: string;
  readonly status: number;
  readonly bucket: string | undefined;
  readonly stamped: boolean;
  readonly replayed: boolean;
  readonly sentAt: number;
}

export interface BilledRouter {
  readonly server: Server;
  readonly charges: readonly Charge[];
  /** How often its model was run. */
  readonly runs: () => number;
  readonly now: () => number;
  /** Lets so many milliseconds pass for keys and their windows. */
  readonly pass: (ms: number) => void;
}

export const DAY_MS = 24 * 3_600_000;

/** A router whose one model costs something, with a ledger of its own. */
export function billedRouter(deadlineMs: number, storeOf = memoryStore): BilledRouter {
  let time = Date.UTC(2026, 0, 1);
  const now = (): number => time;
  const charges: Charge[] = [];
  let runs = 0;
  const store: Store = storeOf({ now });
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const server = createServer(
    {
      ...{ listModels: unused, getModel: unused, getModelInputSchema: unused },
      async runModel(_input, call): Promise<RunModelReply> {
        const { key, requestId, signal } = call;
        runs += 1;
        const charge = async (): Promise<void> => {
          if (await call.charge()) charges.push({ key, requestId, at: now() });
        };
        const ended = new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('ended'));
          });
        });
        ended.catch(() => undefined);
        // A provider may omit what it used; here it always reports it.
        const headers = { 'X-Service-Credits-Used': '0.25' };
        switch (call.request.headers.get('x-effect')) {
          case 'provider-timeout':
            await charge();
            throw refuse('provider_timeout', 'The partner did not answer.', { headers });
          case 'collectable':
            if (call.collecting) break;
            await charge();
            throw refuse('provider_timeout', 'The partner goes on.', {
              headers: { ...headers, 'Retry-After': '1' },
            });
          case 'provider-error':
            throw refuse('provider_error', 'The partner failed.');
          case 'unavailable':
            throw refuse('service_unavailable', 'The partner is closed.');
          case 'rejects':
            return {
              ...{ status: 422, reason: 'invalid_input' },
              body: { detail: [{ loc: ['prompt'], msg: 'too long', type: 'too_long' }] },
            };
          case 'endless':
            return ended;
          case 'late':
            // A handler that ignores the deadline and returns its result too late.
            await ended.catch(() => undefined);
            break;
          default:
        }
        await charge();
        return { status: 200, headers, body: { picture: requestId } };
      },
    },
    { authenticate: () => ({ id: 'caller' }), store, now, deadlineMs },
  );
  return { server, charges, runs: () => runs, now, pass: (ms) => (time += ms) };
}

/** What a caller saw of an answer. */
export function answered(
  key: string | undefined,
  status: number,
  headers: Headers,
  sentAt: number,
): Answered {
  return {
    ...{ key, status, sentAt },
    requestId: headers.get('x-service-request-id') ?? '',
    bucket: headers.get('x-service-error-type') ?? undefined,
    stamped: headers.has('x-service-credits-used'),
    replayed: headers.has('idempotent-replayed'),
  };
}

/**
 * router.idem.charged-once: throws unless each key is charged at most once in its window, and what callers saw agrees with
 * the ledger.
 */
export function expectBalancedLedger({ charges }: BilledRouter, answers: readonly Answered[]): void {
  for (const [index, charge] of charges.entries()) {
    const again = charges.slice(index + 1).find(({ key }) => key !== undefined && key === charge.key);
    if (again !== undefined) expect(again.at - charge.at).toBeGreaterThanOrEqual(DAY_MS);
  }
  for (const { key, requestId, status, bucket, stamped, replayed, sentAt } of answers) {
    const isCharged = charges.some((charge) => charge.requestId === requestId);
    // A replay has a request id of its own.
    expect(stamped).toBe(isCharged);
    // "Not charged", as the generated errors say of these.
    if (replayed || status === 409 || bucket === 'deadline_exceeded') expect(isCharged).toBe(false);
    if (replayed) continue;
    if (status === 200 || bucket === 'provider_timeout') {
      const payer = charges.find(
        (charge) =>
          charge.requestId === requestId ||
          (key !== undefined && charge.key === key && sentAt - charge.at < DAY_MS),
      );
      expect(payer).toBeDefined();
    }
  }
}
