import { policyFor } from '../../contract/index.ts';
import { isJson } from '../../contract/body-format.ts';
import { checksOf } from '../../contract/judge.ts';
import type { Contract, Operation, Parameter, Schema } from '../../contract/model.ts';
import { preconditionOf } from '../../contract/policies/conditional-write.ts';
import { mayLack, propertyAt } from '../../contract/schema-parts.ts';
import { servedApiOf } from '../../contract/served.ts';
import { isOwnHeader } from '../../contract/served-bodies.ts';
import type { LooseReply, ServerCall, ServerRequest } from '../../engine/handler.ts';
import { Refused } from '../../engine/decision.ts';
import { inputStatus, Refusal } from '../../engine/refusal.ts';
import { type Server, serverOf } from '../../engine/serve.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';
import type { LocalStore } from '../../engine/memory-store.ts';
import { cutAnswer, type Answer } from '../call/answer.ts';
import type { MockedApi, DocumentAnswers } from '../api.ts';
import type { Answered, Call } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';
import { declaredCredential } from '../samples/declared-sample.ts';
import { callerId, heldCalls, recognised } from './caller.ts';
import {
  type enactedChanges,
  type EnactedKeys,
  keyChange,
  keyChanges,
  keyHolder,
  type KeyModes,
  keyModes,
  restoreKey,
  forgetOtherModes,
} from './keys.ts';
import { answerOf, completed, replyOf, serverRequest } from './messages.ts';
import { beforeWork } from './work.ts';
import { REFUSED_CREDENTIAL } from '../call/refused-credential.ts';
import { readAnswerChoice } from '../samples/answer-choice.ts';
import { pageOfExample } from '../samples/example-pages.ts';
import type { ResourceCall } from './resource-access.ts';
import { Resources } from './resources.ts';
import { EventStreams } from './event-streams.ts';
import { Lifecycles } from './lifecycles.ts';
import { ExampleVersions } from './example-versions.ts';
import { Tables } from './tables.ts';
import { replaced, worksOn, type Replacing } from '../deviations/replacements.ts';
import type { ScenarioSteering } from '../scenarios/forced-scenarios.ts';
import { KeyLedger } from '../state/key-ledger.ts';
import { keeping, type RecordChange } from '../state/durable-state.ts';
import { requestedScenarios, type ScenarioRequests } from '../scenarios/requested-scenarios.ts';
import { OWN } from '../scenarios/work-scenarios.ts';

/**
 * The mock of a user's own contract with a behaviour sheet. The engine applies the sheet, as in a generated
 * server. Examples of the document replace handlers.
 */
export function enactedApi(
  contract: Contract,
  parts: {
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
  },
): MockedApi {
  const { clock, keep } = parts;
  const { name } = contract;
  const honest = servedApiOf(contract, memberOf);
  const policies = replaced(parts.deviations ?? [], 'policies', (operation) => operation);
  const served = { ...honest, operations: honest.operations.map(policies) };
  const checks = checksOf(contract);
  const modes = keyModes(served);
  const running = new Map<ServerRequest, Running>();
  const lifecycles = new Lifecycles(contract);
  const resources = new Resources(contract, served, {
    lifecycles,
    seed: parts.answers?.defaults.seed ?? '',
    deviations: parts.deviations ?? [],
  });
  const streams = new EventStreams(contract, lifecycles);
  const stateOn = (keys: EnactedKeys, tables: Tables): State => ({
    ...{ keys, modes, tables },
    server: engineOf(served, checks, running, {
      isOwn: isOwnHeader(contract),
      root: contract.document.root,
      ...parts,
      ...{ store: keys.store, resources, streams, tables, versions: new ExampleVersions() },
    }),
    requestCounts: new Map(),
  });
  const fresh = (): State => {
    const tables = new Tables(name, resources.names);
    resources.fill(tables);
    return stateOn(new KeyLedger(() => clock.now()), tables);
  };
  const api = { state: fresh() };
  const holder = keyHolder(served, () => api.state.keys);
  return {
    ...keeping<State, typeof enactedChanges>(api, {
      ...{ fresh, keep },
      watch: ({ keys, tables }, tell) => {
        keys.watch((held, isCharge) => {
          if (!isCharge) tell(keyChange(name, held, modes));
        });
        tables.watch(tell);
      },
      *snapshot({ keys, tables }) {
        yield* keyChanges(name, keys, modes);
        yield* tables.changes();
      },
      restoring: {
        'own.key': ({ keys }, change) => {
          restoreKey(name, keys, change, modes);
        },
        'own.table': ({ tables }, change) => {
          tables.clear(change);
        },
        'own.item': ({ tables }, change) => {
          tables.change(change);
        },
      },
      // Keys and things survive a change of the document.
      carried: ({ keys, tables, modes: earlierModes }) => {
        forgetOtherModes(keys, earlierModes, modes);
        const next = new Tables(name, resources.names);
        resources.fill(next, (collection) => !tables.collections.includes(collection));
        for (const change of tables.changes()) {
          if (!resources.names.includes(change.collection)) continue;
          if (change.part === 'own.table') next.clear(change);
          else next.change(change);
        }
        return stateOn(keys, next);
      },
    }),
    contract,
    scenarios: OWN,
    behaviours: [
      recognised(served),
      requestedScenarios(
        () => api.state,
        (_call, { work }) => work !== undefined,
        parts,
      ),
      (call, next) => course(api.state.server, running, call, next),
    ],
    // The sheet states how requests are refused.
    answers: parts.answers ?? { defaults: {} },
    stamps: () => [],
    failure: (call, detail) => ({
      status: 500,
      headers: [['Content-Type', 'application/problem+json']],
      body: { kind: 'json', value: { title: 'The mock failed', status: 500, detail } },
      licence: `not the document: its mock (${call.id})`,
    }),
    // Only the document describes answers.
    isUntouchable: () => true,
    credential: declaredCredential(contract),
    known: ({ id }) => ({ parameters: resources.pathOfSome(id, api.state.tables) }),
    fixtures: () => ({}),
    control: {
      state: () => ({
        keys: [...api.state.keys.entries()].length,
        ...Object.fromEntries(
          resources.names.map((collection) => [collection, api.state.tables.table(collection).size]),
        ),
      }),
      resources: {},
      ...(holder === undefined ? {} : { keys: holder }),
      ...(resources.names.length === 0
        ? {}
        : {
            collections: {
              names: () => resources.names,
              rows: (collection) => api.state.tables.table(collection).rows(),
              put: (collection, row) => {
                api.state.tables.table(collection).put(row);
              },
              delete: (collection, row) => {
                api.state.tables.table(collection).delete(row);
              },
            },
          }),
      held: () => heldCalls([...running.values()].map(({ call }) => call)),
    },
  };
}

// --- internal ---

interface State extends ScenarioRequests {
  /** The state that survives a change of the document. */
  readonly keys: EnactedKeys;
  readonly modes: KeyModes;
  readonly tables: Tables;
  readonly server: Server;
}

/** A call of the mock that the engine is handling. */
interface Running {
  readonly call: Call;
  readonly next: () => Answered;
  /** The document's answer, after it was requested. */
  example?: Answer;
}

function engineOf(
  api: ServedApi,
  checks: ReturnType<typeof checksOf>,
  running: ReadonlyMap<ServerRequest, Running>,
  parts: Parameters<typeof enactedApi>[1] & {
    readonly store: LocalStore;
    readonly resources: Resources;
    readonly streams: EventStreams;
    readonly tables: Tables;
    readonly versions: ExampleVersions;
    /** The document in which references are resolved. */
    readonly root: Contract['document']['root'];
    /** Whether the engine sends a header by itself. */
    readonly isOwn: (name: string) => boolean;
  },
): Server {
  const {
    isOwn,
    root,
    clock,
    bodyBytes,
    callsInFlight,
    deadlineMs,
    store,
    resources,
    streams,
    tables,
    versions,
  } = parts;
  const deviationsOn = (id: string): readonly Replacing[] =>
    (parts.deviations ?? []).filter((deviation) => worksOn(deviation, id));
  const asked = (
    input: Readonly<Record<string, unknown>>,
    { request, caller }: Pick<ServerCall, 'request' | 'caller'>,
  ): Omit<ResourceCall, 'note'> => ({
    ...{ input, target: request.target, now: clock.now(), caller: caller.id },
  });
  const handler =
    (operation: ServedOperation) =>
    async (input: unknown, served: ServerCall): Promise<LooseReply> => {
      const { request, signal } = served;
      const run = running.get(request as ServerRequest);
      if (run === undefined) throw new Error('the call has ended');
      await beforeWork(api, operation, run.call.facts, { clock, signal });
      const { call } = run;
      const target = call.request.path + call.request.search;
      try {
        const made = asksForExample(call)
          ? undefined
          : resources.answer(operation.id, tables, {
              ...asked(input as Readonly<Record<string, unknown>>, served),
              note: (decision) => {
                call.note('resource', decision);
              },
            });
        if (made !== undefined) return completed(made, call, isOwn);
        const events = asksForExample(call)
          ? undefined
          : streams.reply(operation.id, {
              ...{ clock, signal },
              thing: () =>
                resources.thingOf(
                  operation.id,
                  tables,
                  asked(input as Readonly<Record<string, unknown>>, served),
                ),
            });
        if (events !== undefined) return completed(events, call, isOwn);
        run.example = await run.next();
        const schema = call.operation && jsonSchemaOf(call.operation, 200);
        const needs = (member: string): boolean =>
          propertyAt(schema, member, root).length > 0 && !mayLack(schema, member, root);
        const page = pageOfExample(operation.pagination, run.example, { input, target, needs });
        const reply = replyOf(page, isOwn);
        return versions.shown(operation, request.target, reply);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof RangeError)
          throw new Refused({
            cause: 'badInput',
            message: reason,
            status: inputStatus(api, operation, 'badInput') ?? 400,
          });
        run.call.note('answer', `the mock failed: ${reason}`);
        throw error;
      }
    };
  return serverOf(
    api,
    checks,
    Object.fromEntries(api.operations.map((operation) => [operation.id, handler(operation)])),
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
              ? resources.version(id, tables, asked(input, served))
              : versions.of(served.request.target),
        ]),
      ),
      isTaken: Object.fromEntries(
        api.operations
          .filter(({ id }) => resources.isAmong(id))
          .map(({ id }) => [
            id,
            (member, input, served) => resources.isTaken(id, member, tables, asked(input, served)),
          ]),
      ),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(callsInFlight === undefined ? {} : { capacity: { bounds: () => ({ calls: callsInFlight }) } }),
    },
    {
      // Moving the clock never expires a claim.
      local: store,
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

async function course(
  server: Server,
  running: Map<ServerRequest, Running>,
  call: Call,
  next: () => Answered,
): Promise<Answer> {
  const request = serverRequest(call);
  const run: Running = { call, next };
  const header = policyOf(server.api, call)?.requestHeader;
  const key = header === undefined ? null : request.headers.get(header);
  if (key !== null) call.facts.idempotencyKey = key;
  running.set(request, run);
  try {
    const exchange = await server.exchange(request);
    call.afterDelivery((delivery) => void exchange.settle(delivery));
    if (run.example?.cut === true) return cutAnswer();
    return answerOf(exchange, run);
  } finally {
    running.delete(request);
  }
}

function policyOf({ operations }: ServedApi, { operation }: Call): ServedOperation['idempotency'] {
  return operations.find(({ id }) => id === operation?.id)?.idempotency;
}

function jsonSchemaOf({ responses }: Operation, status: number): Schema | undefined {
  const declared = responses.find((response) => response.status === String(status));
  return declared?.content.find(({ mediaType }) => isJson(mediaType))?.schema;
}

/** Whether the request or a scenario selects an answer of the document. */
function asksForExample({ request, facts }: Call): boolean {
  if (facts.work?.kind === 'status') return true;
  const choice = readAnswerChoice(request);
  return (
    typeof choice === 'string' ||
    choice.code !== undefined ||
    choice.example !== undefined ||
    choice.dynamic === true
  );
}

/** The input has a member for each parameter except the key, which the engine reads itself. */
function memberOf(operation: Operation, parameter: Parameter): string | undefined {
  const { name, in: place } = parameter;
  const header = policyFor(operation, 'idempotency')?.requestHeader.toLowerCase();
  if (place === 'header' && name.toLowerCase() === header) return undefined;
  const isTaken = operation.parameters.some((other) => other !== parameter && other.name === name);
  return isTaken ? `${place} ${name}` : name;
}
