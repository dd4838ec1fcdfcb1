import { isRecord } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import type { RequestPlans, Resource, Scenario } from '../../scenarios/scenario.ts';
import type { CallEffect } from '../../writes/effect.ts';
import { ACTING, CREATING, READING, hasVerb, hazardIn, segmentsOf } from '../../writes/names.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, pathParameters } from '../own-api.ts';
import { creatorOf } from './ids.ts';
import { referencesIn } from './references.ts';
import { bodyFor } from './values.ts';

/**
 * What an operation does to the server. Only what document or sheet show to be a thing of its own may be created, and only
 * a thing that a request names may be changed: everything else is unclear.
 */
export function effectOf(api: OwnApi, operation: Operation): CallEffect {
  if (isRead(operation))
    return hasVerb(operation, ACTING) ? unclear('its name says that it changes something') : READS;
  const role = roleOf(api, operation);
  const effect = effectOfShape(api, operation, role);
  // The author of a sheet with its course of life says that it is a thing of the API.
  const isThing = effect.kind !== 'unclear' && hasLifecycle(api);
  const hazard = hazardIn([...segmentsOf(operation), operation.id], isThing);
  if (hazard !== undefined) return unclear(hazard);
  const others = effect.kind === 'unclear' ? [] : namedByBody(api, operation);
  if (effect.kind === 'reads' || others.length === 0) return effect;
  return unclear(`its body names things that the run did not make, at ${others.join(', ')}`);
}

/** The scenarios with what each of their requests does to the server. */
export function withEffects(api: OwnApi, scenarios: readonly Scenario[]): readonly Scenario[] {
  const effects = new Map(api.operations.map((operation) => [operation.id, effectOf(api, operation)]));
  const marked = (requests: RequestPlans): RequestPlans =>
    Object.fromEntries(
      Object.entries(requests).map(([name, plan]) => {
        const effect = effects.get(plan.operation ?? '');
        return [name, effect === undefined ? plan : { ...plan, effect }];
      }),
    );
  const used = (one: Resource<unknown>): Resource<unknown> => ({
    ...one,
    requests: marked(one.requests),
    uses: one.uses.map(used),
  });
  return scenarios.map((one) => ({ ...one, requests: marked(one.requests), uses: one.uses.map(used) }));
}

// --- internal ---

/** By the sheet, by the method, and by the path. */
function effectOfShape(api: OwnApi, operation: Operation, role: string | undefined): CallEffect {
  if (role === 'create' || role === 'createMany') return CREATES;
  const { method, path, responses } = operation;
  if (role === undefined && method === 'post' && hasItems(api, operation)) return CREATES;
  if (role === undefined && method === 'post' && hasVerb(operation, READING)) return READS;
  const last = pathParameters(operation).at(-1)?.name;
  if (last !== undefined)
    return role !== undefined || creatorOf(api, path, last) !== undefined
      ? CHANGES
      : unclear(`no operation of the document creates a value for {${last}}`);
  const isCreated = responses.some(({ status }) => status === '201') || hasVerb(operation, CREATING);
  if (method === 'post' && isCreated && showsId(api, operation)) return CREATES;
  if (method === 'delete') return unclear('its path names no thing, so it may remove all of them');
  return unclear(
    method === 'post'
      ? 'it is an action, and its path names no thing that the run could make for it'
      : 'it is a setting without an id',
  );
}

/** Pointers to what the body of a call names. Optional members that name something are left out of it. */
function namedByBody(api: OwnApi, operation: Operation): readonly string[] {
  const body = bodyFor(api, operation, {});
  if (body === undefined) return [];
  return referencesIn(api, operation, body.value).map(({ path }) => `/${path.join('/')}`);
}

const READS: CallEffect = { kind: 'reads' };
const CREATES: CallEffect = { kind: 'creates' };
const CHANGES: CallEffect = { kind: 'changes' };

function unclear(why: string): CallEffect {
  return { kind: 'unclear', why };
}

function hasLifecycle({ contract: { sheet } }: OwnApi): boolean {
  return sheet?.policies.some(({ kind }) => kind === 'lifecycle') === true;
}

/** What the sheet says that an operation does with a resource. */
function roleOf({ contract: { sheet } }: OwnApi, { id }: Operation): string | undefined {
  for (const policy of sheet?.policies ?? []) {
    if (policy.kind !== 'resource') continue;
    const role = Object.entries(policy.operations).find(([, own]) => own === id)?.[0];
    if (role !== undefined) return role;
  }
  return undefined;
}

/** Whether things below the path of an operation have addresses of their own. */
function hasItems(api: OwnApi, { path }: Operation): boolean {
  return api.operations.some((other) => {
    const last = pathParameters(other).at(-1)?.name ?? '';
    return other.path === `${path}/{${last}}`;
  });
}

/** Whether a success shows the id of what was made, or its address. */
function showsId(api: OwnApi, { responses }: Operation): boolean {
  return responses.some(({ status, content, headers }) => {
    if (!/^2/.test(status)) return false;
    if (headers.some(({ name }) => /^location$/i.test(name))) return true;
    return content.some(({ schema }) =>
      propertiesOf(schema, api.root).some(([name, inner]) => {
        const inside = isRecord(inner) ? propertiesOf(inner, api.root) : [];
        return [name, ...inside.map(([own]) => own)].some((one) =>
          /^(?:id|uuid|guid)$|[a-z]Id$|_id$/.test(one),
        );
      }),
    );
  });
}
