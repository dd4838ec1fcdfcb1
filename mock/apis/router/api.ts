import type { Contract } from '../../../contract/model.ts';
import type { MockedApi } from '../../api.ts';
import { bearer, usualKey } from '../../call/caller.ts';
import { access } from './access.ts';
import { bucketAnswer, refuse, refuseOpenly, type Router, type RouterState } from './context.ts';
import { routerControl } from './control.ts';
import { credentials } from './credentials.ts';
import { routerFixtures } from './fixtures.ts';
import { durableRouter } from './durable-state.ts';
import { modelDetail } from './model-detail.ts';
import { cursorCheck, modelList } from './model-list.ts';
import { modelLookup } from './model-lookup.ts';
import { requestChecks } from './request-checks.ts';
import { isPicturePath, pictures, PICTURES } from './pictures.ts';
import { rollout } from './rollout.ts';
import { run } from './run.ts';
import { schemaDocument } from './schema-document.ts';
import { unmatched } from '../../call/unmatched.ts';
import { requestedScenarios } from '../../scenarios/requested-scenarios.ts';
import { byOperation, type Call } from '../../call/call.ts';
import type { MockScenario } from '../../scenarios/scenario.ts';
import { REBUILT_CATALOGUE, routerScenario } from './scenarios.ts';
import { Catalogue, type Model } from './catalogue.ts';
import { CursorSeal } from './cursor-seal.ts';
import { routerFacts } from './facts.ts';
import { enacted } from '../../call/course.ts';
import { routerCourse } from './course.ts';
import { KeyLedger } from '../../state/key-ledger.ts';
import { WatchedMap } from '../../state/watched-map.ts';
import { mechanismsOf, replacedStore } from '../../deviations/replacements.ts';
import type { ModuleParts } from '../module.ts';
import type { AssumeRouter } from './assumptions.ts';
import { defaultModels } from './models.ts';
import { routerMechanisms } from './mechanisms.ts';

/** The model router: its behaviours, in order. */
export function routerApi(contract: Contract, parts: ModuleParts): MockedApi {
  const { clock, ids, keep, deviations } = parts;
  const { profile = 'faithful', deadlineMs, publicUrl, models = [] } = parts.options;
  const fresh = (): RouterState => freshState(parts, [...defaultModels(profile), ...models]);
  const router: Router = {
    ...{ clock, ids, deviations, profile, deadlineMs, publicUrl },
    assume: parts.assume as AssumeRouter,
    facts: routerFacts(contract),
    mechanisms: mechanismsOf(deviations, 'router', routerMechanisms),
    state: fresh(),
  };
  const { requestId } = router.facts.headers;
  return {
    ...{ contract, ...durableRouter(router, fresh, keep) },
    behaviours: [
      pictures(),
      credentials(router),
      requestedScenarios(
        () => router.state,
        (call, scenario) => concerns(router, call, scenario),
        parts,
      ),
      rollout(router),
      // Includes the queue route, which is not served.
      unmatched((call, detail, headers) => {
        const { otherMethod, unknownPath } = router.assume('A-25');
        const open = headers.length === 0 ? unknownPath : otherMethod;
        return refuseOpenly(router, call, open, { detail, headers, because: 'A-25' });
      }),
      enacted(
        routerCourse(router, [
          access(router),
          modelLookup(router),
          cursorCheck(router),
          requestChecks(router),
        ]),
      ),
      byOperation({
        listModels: modelList(router),
        getModel: modelDetail(router),
        runModel: run(router),
        getModelInputSchema: schemaDocument(router),
      }),
    ],
    stamps: (call) => (requestId === undefined ? [] : [[requestId, call.id]]),
    failure: (call, detail) => refuse(router, call, { role: 'internal', detail }),
    unreadable: (id, status) =>
      bucketAnswer(router, {
        status,
        bucket: router.facts.buckets.roles.badInput,
        detail: 'This request cannot be parsed.',
        headers: requestId === undefined ? [] : [[requestId, id]],
        licence: 'A-25',
      }),
    isUntouchable: ({ status }, { operation }) =>
      status === 200 && ['runModel', 'getModelInputSchema'].includes(operation?.id ?? ''),
    beside: (path) => (isPicturePath(path) ? { methods: ['GET', 'HEAD'], longestBody: 0 } : undefined),
    besidePrefixes: [PICTURES],
    credential: routerCredential(router),
    // Before the rollout no call succeeds.
    ...(router.profile === 'not-rolled-out' ? { sample: () => undefined } : {}),
    limits: {
      bodyBytes: router.assume('A-07').requestBodyBytes,
      preflightSeconds: router.assume('A-37').maxAgeSeconds,
    },
    control: routerControl(router),
    fixtures: () => routerFixtures(router),
  };
}

// --- internal ---

/** The effect of a model applies only to runs; a read in between neither shows it nor uses it up. */
function concerns({ facts }: Router, { operation, request }: Call, { name }: MockScenario): boolean {
  const scenario = routerScenario(name);
  if (scenario === undefined) return false;
  if (scenario.model !== undefined) return facts.deadline.operations.includes(operation?.id ?? '');
  const { cursorParameter } = facts.pagination;
  return name !== REBUILT_CATALOGUE || request.query.some((pair) => pair.name === cursorParameter);
}

function routerCredential({ facts }: Router): MockedApi['credential'] {
  const value = usualKey(facts.credentials);
  const { keyHeader } = facts.credentials;
  const header = keyHeader === undefined ? bearer(value) : ([keyHeader, value] as const);
  return { kind: 'key', value, headers: [header] };
}

function freshState(
  { clock, deviations, ids }: Pick<Router, 'clock' | 'deviations' | 'ids'>,
  models: readonly Model[],
): RouterState {
  const ledger = new KeyLedger(() => clock.now());
  return {
    catalogue: new Catalogue(models),
    ledger,
    store: replacedStore(deviations, ledger, clock),
    generations: new WatchedMap(),
    cursors: new CursorSeal(ids),
    requestCounts: new Map(),
    dispatches: new WatchedMap(),
  };
}
