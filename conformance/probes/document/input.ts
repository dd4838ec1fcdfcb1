import { isRecord, policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { serialisedParameters } from './serialised-parameters.ts';
import { thingPlace } from './thing-places.ts';
import { alternativesOf, bodyFor, documentedValues, fixedValue, isValid } from './values.ts';
import { valueKey } from './value-key.ts';
import { freshAt, textOfSameForm } from './variants.ts';
import { written } from './wire-body.ts';

/**
 * A value for each required parameter: one that is already known, else from the fixtures file, else from the
 * document.
 */
export function requiredValues(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
  known: Values = {},
): Values {
  const key = policyFor(operation, 'idempotency')?.requestHeader.toLowerCase();
  const values: [string, Json][] = operation.parameters.flatMap((parameter): [string, Json][] => {
    const { name, required, in: place } = parameter;
    const at = valueKey(operation, parameter);
    if (Object.hasOwn(known, at)) return [[at, known[at] as Json]];
    if (!required) return [];
    if (place === 'header' && name.toLowerCase() === key) return [[at, session.freshKey()]];
    const value =
      fixedValue(session.fixtures, operation, parameter) ??
      freshHeader(api, parameter, session.freshKey) ??
      documentedValues(api, parameter)[0]?.value;
    if (value === undefined)
      throw new NotExercised(`parameters.${name}`, `needs a value for the parameter ${name}`);
    return [[at, value]];
  });
  return Object.fromEntries(values);
}

/**
 * A valid request for an operation.
 *
 * @param isTaken whether a request with the usual values was refused, because they exist already
 * @throws {NotExercised} if no valid body or no value of a parameter is known
 */
export function inputFor(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
  known: Values = {},
  isTaken = false,
): SendOptions & { readonly body?: string } {
  const plain = serialisedParameters(operation, requiredValues(api, operation, session, known));
  const sent = isGuardedAction(api, operation)
    ? { ...plain, headers: withVersion(plain.headers ?? [], '*') }
    : plain;
  const { requestBody } = operation;
  if (requestBody === undefined) return sent;
  const body = newBody(api, operation, session);
  if (body === undefined && requestBody.required)
    throw new NotExercised(
      `bodies.${operation.id}`,
      sentContent(operation) === undefined
        ? `needs a body for ${operation.id}: none is made up in ${requestBody.content.map(({ mediaType }) => mediaType).join(' or ')}, so give its text`
        : `needs a body for ${operation.id}: the document has no example, and none could be generated from its schema`,
    );
  if (body === undefined) return sent;
  const value = withThingId(api, operation, body.value, known) ?? body.value;
  const own = isTaken ? (otherTexts(api, operation, value, session.freshKey) ?? value) : value;
  return withBody(sent, written(own, body), body.mediaType);
}

/** The same request with a body by each other alternative of its schema. */
export function alternativeInputs(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
  known: Values = {},
): readonly SendOptions[] {
  const form = bodyFor(api, operation, session.fixtures);
  if (form === undefined) return [];
  return alternativesOf(api, operation, session.fixtures).map((value) => {
    const sent = serialisedParameters(operation, requiredValues(api, operation, session, known));
    return withBody(sent, written(freshBody(api, operation, value, session), form), form.mediaType);
  });
}

/**
 * The same body, with unique values for members that must be unique, including the id, and for those by which a server may find
 * something that exists already, such as a name: a creation makes something new.
 */
export function freshBody(
  api: OwnApi,
  operation: Operation,
  value: Json,
  { freshKey, fixtures }: Pick<Session, 'fixtures' | 'freshKey'>,
): Json {
  const own = Object.hasOwn(fixtures.bodies ?? {}, operation.id)
    ? value
    : withFreshKeys(api, operation, value, freshKey);
  return (api.contract.sheet?.policies ?? []).reduce<Json>((body, policy) => {
    const isUnique = policy.kind === 'uniqueness' && policy.operations.includes(operation.id);
    const member = isUnique
      ? policy.member
      : policy.kind === 'resource'
        ? chosenId(policy, operation)
        : undefined;
    return member === undefined ? body : freshAt(api, operation, body, member, freshKey);
  }, own);
}

/** The body with the id of the thing that the call is about, where that is the place for it. */
export function withThingId(
  api: OwnApi,
  operation: Operation,
  body: Json | undefined,
  known: Values,
): Json | undefined {
  const place = thingPlace(api, operation);
  const content = sentContent(operation);
  const id = place?.in === 'body' ? known[place.parameter] : undefined;
  if (place === undefined || content === undefined || id === undefined) return body;
  const around = isRecord(body) ? body : {};
  const forms = [id, String(id), Number(id)].map((form) => ({ ...around, [place.name]: form }) as Json);
  return forms.find((form) => isValid(api, content, form)) ?? forms[0];
}

/**
 * The id that the caller gives to what a call makes: the member of its body with the name of the path parameter, as a run
 * would send it; `undefined` if the body has none.
 */
export function ownIdIn(
  api: OwnApi,
  operation: Operation,
  value: Json | undefined,
  parameter: string,
): string | undefined {
  if (!isRecord(value)) return undefined;
  const body = freshBody(api, operation, value as Json, { fixtures: {}, freshKey: () => ANY_KEY });
  const wanted = plainName(parameter);
  const [, own] = Object.entries(body ?? {}).find(([name]) => plainName(name) === wanted) ?? [];
  return typeof own === 'string' || typeof own === 'number' ? String(own) : undefined;
}

/** In a plan, it stands for the keys that a run makes up. */
export const ANY_KEY = 'a0000000-0000-4000-8000-000000000000';

/** The body of a call, made new; `undefined` if none is known. */
export function newBody(
  api: OwnApi,
  operation: Operation,
  session: Pick<Session, 'fixtures' | 'freshKey'>,
): ReturnType<typeof bodyFor> {
  const body = bodyFor(api, operation, session.fixtures);
  return body && { ...body, value: freshBody(api, operation, body.value, session) };
}

/** The body with another value of each of its texts, or of those, for a server that says that something exists already. */
export function otherTexts(
  api: OwnApi,
  operation: Operation,
  value: Json | undefined,
  freshKey: () => string,
  names?: readonly string[],
): Json | undefined {
  if (!isRecord(value)) return value;
  const texts = Object.entries(value).filter(
    ([name, text]) => typeof text === 'string' && text !== '' && names?.includes(name) !== false,
  );
  return texts.reduce<Json>((body, [name]) => freshAt(api, operation, body, name, freshKey), value as Json);
}

/** Sends a request, and again with other values if the server says that something with the usual ones exists already. */
export async function sendAsNew(
  send: (isTaken: boolean) => Promise<Exchange>,
  hasOthers: boolean,
): Promise<Exchange> {
  const first = await send(false);
  return first.status === 409 && hasOthers ? send(true) : first;
}

/** An answer without success, and what may help. */
export function refusalOf(seen: Exchange): string {
  const help = '; if a member has to be unique, say so in the sheet with kind: uniqueness';
  return `${sketchAnswer(seen)}${seen.status === 409 && (seen.request.body?.length ?? 0) > 0 ? help : ''}`;
}

/** Whether a call that changes the state of a thing has to name its version. Changes by roles of a resource name it themselves. */
function isGuardedAction({ contract }: OwnApi, operation: Operation): boolean {
  return (
    operation.method === 'post' &&
    policyFor(operation, 'conditional-write') !== undefined &&
    !resourcesOf(contract).some(({ operations }) => Object.values(operations).includes(operation.id))
  );
}

/** Headers that name this version, and no other one: a change of it (RFC 9110, section 13.1.1). */
export function withVersion(
  headers: readonly (readonly [string, string])[],
  tag: string,
): readonly (readonly [string, string])[] {
  return [...headers.filter(([name]) => !/^if-match$/i.test(name)), ['If-Match', tag]];
}

/** The call with a key that no other call has; `undefined` if its operation takes none. */
export function withNewKey<Options extends SendOptions>(
  operation: Operation,
  options: Options,
  { freshKey }: Pick<Session, 'freshKey'>,
): Options | undefined {
  const key = policyFor(operation, 'idempotency')?.requestHeader;
  if (key === undefined) return undefined;
  const others = (options.headers ?? []).filter(([name]) => name.toLowerCase() !== key.toLowerCase());
  return { ...options, headers: [...others, [key, freshKey()]] };
}

export function withBody(
  { headers = [], ...sent }: SendOptions,
  body: string,
  mediaType: string,
): SendOptions & { readonly body: string } {
  return { ...sent, headers: [...headers, ['Content-Type', mediaType]], body };
}

// --- internal ---

/** Members by which servers find a thing instead of making another one. */
const NATURAL_KEYS =
  /^(?:name|phone|mobile|number|reference|external_?id|slug|code|key|handle|username|login|email|mail|label|title|sku)$/i;

/** The id of a thing that the caller chooses. */
const OWN_IDS = /^_?(?:id|uuid|guid)$/i;

/** A creation with other values for its natural keys; an address of mail is one that no one has (RFC 2606, section 3). */
function withFreshKeys(api: OwnApi, operation: Operation, value: Json, freshKey: () => string): Json {
  if (operation.method !== 'post' || !isRecord(value)) return value;
  const content = sentContent(operation);
  return Object.entries(value).reduce<Json>((body, [name, old]) => {
    if (OWN_IDS.test(name)) return freshAt(api, operation, body, name, freshKey);
    if (!NATURAL_KEYS.test(name) || typeof old !== 'string' || old === '' || !isRecord(body)) return body;
    // Who finds it on a server sees where it comes from. It must not look like an id.
    const isNumber = /^[+\d()./\s-]+$/.test(old);
    const key = isNumber ? textOfSameForm(old, freshKey) : `tallystick-${freshKey().slice(0, 8)}`;
    const named = { ...body, [name]: old.includes('@') ? `${key}@example.com` : key } as Json;
    if (content !== undefined && isValid(api, content, named)) return named;
    return old.includes('@') ? body : freshAt(api, operation, body, name, freshKey);
  }, value);
}

/** A header that names one call has another value in each, also if the sheet has no policy for it. */
function freshHeader(
  api: OwnApi,
  parameter: Operation['parameters'][number],
  freshKey: () => string,
): string | undefined {
  const { in: place, name } = parameter;
  if (
    place !== 'header' ||
    !/^(?:x-)?(?:idempoten(?:cy|t)|request|correlation)-?(?:key|id|token)$/i.test(name)
  )
    return undefined;
  const key = freshKey();
  return api.misfits(parameter, key).length === 0 ? key : undefined;
}

/** The member of a request with the id of the resource that it creates. */
function chosenId(
  { id, operations }: PolicyOf<'resource'>,
  { id: own, path }: Operation,
): string | undefined {
  const isInPath = path.includes(`{${id.parameter ?? id.member}}`);
  return id.form === 'caller' && operations.create === own && !isInPath ? id.member : undefined;
}
