import { durationMs } from '../../../contract/policies/duration.ts';
import { ControlMistake, type ApiControl, type ControlRoute } from '../../control/api-control.ts';
import { callerName } from '../../call/caller.ts';
import { formed, recordOf } from '../../control/reading.ts';
import type { DueEvent } from '../../control/steering-shape.ts';
import { modelForm, modelIdOf, type Model } from './catalogue.ts';
import type { Router } from './context.ts';

/** Reads models, keys, calls in flight and generations, and edits the catalogue. */
export function routerControl(router: Router): ApiControl {
  return {
    state: () => {
      const { catalogue, ledger, store } = router.state;
      return {
        profile: router.profile,
        models: catalogue.all().length,
        keys: [...ledger.entries()].length,
        inFlight: Object.fromEntries([...store.held()].map(([scope, held]) => [callerName(scope), held])),
      };
    },
    resources: { models: modelRoutes(router) },
    keys: {
      header: router.facts.idempotency.requestHeader,
      semantics: 'replay',
      ledger: () => router.state.ledger,
    },
    due: (now) => dueGenerations(router, now),
    held: () => [...router.state.store.held()].map(([scope, inFlight]) => [scope, { inFlight }] as const),
    dispatches: () => router.state.dispatches,
    prices: {
      centsOf: (model) => router.state.catalogue.get(model)?.cents ?? 0,
      windowMs: durationMs(router.facts.idempotency.window),
    },
  };
}

// --- internal ---

function modelRoutes(router: Router): Readonly<Record<string, ControlRoute>> {
  return {
    GET: () => ({ models: router.state.catalogue.all().map(withId) }),
    PUT: (path, body) => {
      const model = readModel(body, path);
      router.state.catalogue.put(model);
      return withId(model);
    },
    PATCH: (path, body) => {
      const { catalogue } = router.state;
      const known = catalogue.get(path.join('/'));
      if (known === undefined) throw new ControlMistake(`There is no model ${path.join('/')}.`, 404);
      const { provider: _named, model: _too, effect: _kept, ...present } = known;
      const model = { ...known, ...readModel({ ...present, ...recordOf(body) }, path) };
      catalogue.put(model);
      return withId(model);
    },
    POST: (_path, body) => {
      formed(body, { members: { do: { oneOf: ['rebuild'] } }, required: ['do'] });
      router.state.cursors.renew();
      return { rebuilt: true };
    },
    DELETE: (path) => {
      if (!router.state.catalogue.remove(path.join('/')))
        throw new ControlMistake(`There is no model ${path.join('/')}.`, 404);
      return { removed: path.join('/') };
    },
  };
}

function withId(model: Model): Model & { readonly id: string } {
  return { id: modelIdOf(model), ...model };
}

function readModel(body: unknown, [provider, model, ...rest]: readonly string[]): Model {
  if (provider === undefined || model === undefined || rest.length > 0)
    throw new ControlMistake('PUT /control/v1/models/{provider}/{model}');
  const given = formed(body, { members: changeable });
  if ((given.cents ?? 0) < 0) throw new ControlMistake('"cents" is a number from 0 up.');
  return { provider, model, state: 'listed', chargesOnPolicyRejection: 'unknown', cents: 5, ...given };
}

const { provider: _provider, model: _model, effect: _effect, ...changeable } = modelForm.members;

function dueGenerations({ state }: Router, now: number): DueEvent[] {
  return [...state.generations].flatMap(([id, at]) => {
    const key = id.slice(id.indexOf('\n') + 1);
    return at <= now
      ? []
      : [{ at, kind: 'generation' as const, id: key, what: `the generation of key ${key} is done` }];
  });
}
