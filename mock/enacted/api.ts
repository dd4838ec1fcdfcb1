import { policyFor } from '../../contract/index.ts';
import { checksOf } from '../../contract/judge/judge.ts';
import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { isOwnHeader } from '../../contract/served/served-bodies.ts';
import { servedApiOf } from '../../contract/served/served.ts';
import type { ServerRequest } from '../../engine/handler.ts';
import type { Server } from '../../engine/serve.ts';
import type { MockedApi } from '../api.ts';
import { replaced } from '../deviations/replacements.ts';
import { declaredCredential } from '../samples/declared-sample.ts';
import { requestedScenarios, type ScenarioRequests } from '../scenarios/requested-scenarios.ts';
import { OWN } from '../scenarios/work-scenarios.ts';
import { keeping } from '../state/durable-state.ts';
import { KeyLedger } from '../state/key-ledger.ts';
import { heldCalls, recognised } from './caller.ts';
import { engineOf, type EnactedParts } from './engine.ts';
import { EventStreams } from './event-streams.ts';
import { ExampleVersions } from './example-versions.ts';
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
import { judgingEach } from './judging-each.ts';
import { Lifecycles } from './lifecycles.ts';
import { Resources } from './resources.ts';
import { course, type Running } from './running.ts';
import { Tables } from './tables.ts';

/**
 * The mock of a user's own contract with a behaviour sheet. The engine applies the sheet, as in a generated
 * server. Examples of the document replace handlers.
 */
export function enactedApi(contract: Contract, parts: EnactedParts): MockedApi {
  const { clock, keep } = parts;
  const { name } = contract;
  const honest = servedApiOf(contract, memberOf);
  const policies = replaced(parts.deviations ?? [], 'policies', (operation) => operation);
  const stated = { ...honest, operations: honest.operations.map(policies) };
  const running = new Map<ServerRequest, Running>();
  const lifecycles = new Lifecycles(contract);
  const resources = new Resources(contract, stated, {
    lifecycles,
    seed: parts.answers?.defaults.seed ?? '',
    deviations: parts.deviations ?? [],
  });
  const { api: served, checks } = judgingEach(contract, stated, { checks: checksOf(contract), resources });
  const streams = new EventStreams(contract, lifecycles);
  const modes = keyModes(served);
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

/** The input has a member for each parameter except the key, which the engine reads itself. */
function memberOf(operation: Operation, parameter: Parameter): string | undefined {
  const { name, in: place } = parameter;
  const header = policyFor(operation, 'idempotency')?.requestHeader.toLowerCase();
  if (place === 'header' && name.toLowerCase() === header) return undefined;
  const isTaken = operation.parameters.some((other) => other !== parameter && other.name === name);
  return isTaken ? `${place} ${name}` : name;
}
