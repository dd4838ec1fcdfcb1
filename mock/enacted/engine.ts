import { createHash } from 'node:crypto';
import type { Checks } from '../../engine/judge.ts';
import { preconditionOf } from '../../contract/policies/conditional-write.ts';
import type { ServerRequest } from '../../engine/handler.ts';
import type { LocalStore } from '../../engine/memory-store.ts';
import { type Server, serverOf } from '../../engine/serve.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import type { DocumentAnswers } from '../api.ts';
import { REFUSED_CREDENTIAL } from '../call/refused-credential.ts';
import { replaced, worksOn, type Replacing } from '../deviations/replacements.ts';
import type { ScenarioSteering } from '../scenarios/forced-scenarios.ts';
import type { Clock } from '../state/clock.ts';
import type { RecordChange } from '../state/durable-state.ts';
import { callerId } from './caller.ts';
import { type AnswerParts, askedOf, handlerOf } from './handlers.ts';
import type { Running } from './running.ts';

/** What a mock of a user's own contract is given. */
export interface EnactedParts {
  readonly clock: Clock;
  readonly steering: ScenarioSteering;
  /** The longest body, in bytes. */
  readonly bodyBytes: number;
  readonly deadlineMs: number | undefined;
  /**
   * The limit for running calls of one caller, if the sheet bounds them; default: the number in the sheet.
   */
  readonly callsInFlight: number | undefined;
  readonly keep: RecordChange | undefined;
  readonly answers?: DocumentAnswers;
  readonly deviations?: readonly Replacing[];
}

/** The server of the contract: the engine, with the state and the clock of the mock. */
export function engineOf(
  api: ServedApi,
  checks: Checks,
  running: ReadonlyMap<ServerRequest, Running>,
  parts: EnactedParts & AnswerParts & { readonly store: LocalStore },
): Server {
  const { clock, bodyBytes, callsInFlight, deadlineMs, store, resources, tables, versions } = parts;
  const deviationsOn = (id: string): readonly Replacing[] =>
    (parts.deviations ?? []).filter((deviation) => worksOn(deviation, id));
  return serverOf(
    api,
    checks,
    Object.fromEntries(
      api.operations.map((operation) => [operation.id, handlerOf(api, operation, running, parts)]),
    ),
    {
      // Any other credential of the declared form is valid, and identifies its caller.
      authenticate: (credentials) =>
        Object.values(credentials).some((value) => value?.includes(REFUSED_CREDENTIAL) === true)
          ? undefined
          : { id: callerId(credentials) },
      now: () => clock.now(),
      // The journal reports the failure.
      onFinding: () => undefined,
      bodyBytes,
      versions: Object.fromEntries(
        api.operations.map(({ id }) => [
          id,
          (input, served) =>
            resources.isAmong(id)
              ? resources.version(id, tables, askedOf(parts, input, served))
              : versions.of(served.request.target),
        ]),
      ),
      isTaken: Object.fromEntries(
        api.operations
          .filter(({ id }) => resources.isAmong(id))
          .map(({ id }) => [
            id,
            (member, input, served) => resources.isTaken(id, member, tables, askedOf(parts, input, served)),
          ]),
      ),
      existing: Object.fromEntries(
        api.operations.flatMap(({ id, capacity }) => {
          const bound = capacity?.things;
          return bound === undefined || !resources.isAmong(id)
            ? []
            : [[id, (input, served) => resources.existing(id, bound, tables, askedOf(parts, input, served))]];
        }),
      ),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(callsInFlight === undefined ? {} : { capacity: { bounds: () => ({ calls: callsInFlight }) } }),
    },
    {
      // Moving the clock never expires a claim.
      local: store,
      // At once: a clock that moves by itself would move meanwhile.
      hash: (method, target, bytes) =>
        createHash('sha256').update(`${method} ${target}\n`).update(bytes).digest('hex'),
      precondition: ({ id }) => replaced(deviationsOn(id), 'precondition', preconditionOf),
      after: (ms, back) => {
        const end = new AbortController();
        clock.sleep(ms, end.signal).then(back, () => undefined);
        return () => {
          end.abort();
        };
      },
      report: (request, decision) => {
        const { call } = running.get(request) ?? {};
        call?.note(decision.policy, decision.case.replaceAll('-', ' '));
        if (call !== undefined && decision.case === 'replayed') call.facts.replayed = true;
      },
    },
  );
}
