import { isRecord } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { isJson } from '../../../contract/judge/body-format.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import type { RequestPlans, Resource, Scenario } from '../../scenarios/scenario.ts';
import type { CallEffect } from '../../writes/effect.ts';
import { ACTING, CREATING, READING, hasVerb, hazardIn, segmentsOf } from '../../writes/names.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, itemOf, pathParameters } from '../own-api.ts';
import { isBeyondGuessing } from '../../writes/known-ids.ts';
import { creatorOf } from './ids.ts';
import { ownIdIn } from './input.ts';
import { selectsThings } from './selectors.ts';
import { makerOf, referencesIn } from './references.ts';
import { thingPlace } from './thing-places.ts';
import { bodyFor } from './values.ts';

/**
 * What an operation does to the server. Only what document or sheet show to be a thing of its own may be created, and only
 * a thing that a request names may be changed: everything else is unclear.
 */
export function effectOf(api: OwnApi, operation: Operation): CallEffect {
  let effects = known.get(api);
  if (effects === undefined) known.set(api, (effects = new Map()));
  const effect = effects.get(operation.id);
  if (effect !== undefined) return effect;
  // Things that name each other in a circle cannot be made.
  effects.set(operation.id, unclear('its body names a thing that names it'));
  const found = readEffect(api, operation);
  effects.set(operation.id, found);
  return found;
}

/** The scenario with what each of its requests does to the server. */
export function withEffects(api: OwnApi, scenario: Scenario): Scenario {
  const marked = (requests: RequestPlans): RequestPlans =>
    Object.fromEntries(
      Object.entries(requests).map(([name, plan]) => {
        const operation = api.operation(plan.operation ?? '');
        return [name, operation === undefined ? plan : { ...plan, effect: effectOf(api, operation) }];
      }),
    );
  const used = (one: Resource<unknown>): Resource<unknown> => ({
    ...one,
    requests: marked(one.requests),
    uses: one.uses.map(used),
  });
  return { ...scenario, requests: marked(scenario.requests), uses: scenario.uses.map(used) };
}

// --- internal ---

const known = new WeakMap<OwnApi, Map<string, CallEffect>>();

function readEffect(api: OwnApi, operation: Operation): CallEffect {
  if (isRead(operation))
    return hasVerb(operation, ACTING) ? unclear('its name says that it changes something') : READS;
  const role = roleOf(api, operation);
  const effect = effectOfShape(api, operation, role);
  // The author of a sheet with its course of life says that it is a thing of the API.
  const isThing = effect.kind !== 'unclear' && hasLifecycle(api);
  const hazard = hazardIn([...segmentsOf(operation), operation.id], isThing);
  if (hazard !== undefined) return unclear(hazard);
  if (effect.kind === 'unclear' || effect.kind === 'reads') return effect;
  const body = bodyFor(api, operation, {});
  const selected = selectedByBody(api, operation, body?.value);
  if (selected !== undefined) return unclear(selected);
  const named = body === undefined ? [] : namedByBody(api, operation, body);
  const names = named.flatMap(({ path, maker }) => (maker === undefined ? [] : [{ path, maker: maker.id }]));
  if (named.length === names.length && names.length <= MOST_NAMED)
    return names.length === 0 ? effect : { ...effect, names };
  const isTooMany = names.length === named.length;
  const others = named
    .filter(({ maker }) => isTooMany || maker === undefined)
    .map(({ path }) => `/${path.join('/')}`);
  return unclear(`its body names things that the run cannot make, at ${others.join(', ')}`);
}

/** By the sheet, by the method, and by the path. */
function effectOfShape(api: OwnApi, operation: Operation, role: string | undefined): CallEffect {
  if (role === 'create' || role === 'createMany') return CREATES;
  const { method, path, responses } = operation;
  if (role === undefined && method === 'post' && itemOf(api, operation) !== undefined) return CREATES;
  if (role === undefined && method === 'post' && hasVerb(operation, READING)) return READS;
  const place = thingPlace(api, operation);
  if (place !== undefined && place.in !== 'path') return role === 'read' ? READS : CHANGES;
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

/** Why a body may mean things that the run did not make, although it names none of them. */
function selectedByBody(api: OwnApi, operation: Operation, body: Json | undefined): string | undefined {
  if (selectsThings(api, operation, body))
    return 'its body can select things by other members than their ids';
  const { method, path, responses } = operation;
  const item = method === 'post' ? itemOf(api, operation) : undefined;
  const own = item && ownIdIn(api, operation, body, item.parameter);
  if (own === undefined || isBeyondGuessing(own)) return undefined;
  // A refusal of what exists is declared, or a success that says that the thing is new.
  const isSafe =
    responses.some(({ status }) => status === '409') ||
    responses.every(({ status }) => !/^2/.test(status) || status === '201');
  return isSafe
    ? undefined
    : `its body has an id that may exist in ${path}, and the document does not say that such a call is refused`;
}

/** What the body of a call names, and what makes it. Optional members that name something are left out of it. */
function namedByBody(
  api: OwnApi,
  operation: Operation,
  { mediaType, value }: NonNullable<ReturnType<typeof bodyFor>>,
): readonly { readonly path: readonly string[]; readonly maker: Operation | undefined }[] {
  const isReadable = isJson(mediaType);
  return referencesIn(api, operation, value).map((reference) => {
    const { path } = reference;
    const maker = isReadable ? makerOf(api, reference) : undefined;
    const isMade = maker !== undefined && effectOf(api, maker).kind === 'creates';
    return { path, maker: isMade ? maker : undefined };
  });
}

/** Of things that a body names: each is made for every scenario. */
const MOST_NAMED = 4;

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
