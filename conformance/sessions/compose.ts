import type { CredentialPlace } from '../../contract/index.ts';
import { isSamePlace, credentialPlace } from '../target/credential.ts';
import type { Credential } from '../target/credential.ts';
import { headerOf } from '../exchanges/exchange.ts';
import type { SentRequest } from '../exchanges/exchange.ts';
import { atAnother } from '../scenarios/gates.ts';
import { Hindered, NotExercised } from '../scenarios/scenario.ts';
import type { Identity, RequestPlan, SendOptions } from '../scenarios/scenario.ts';
import { needOf } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { isUsable } from '../target/usable.ts';
import { withheldGap } from '../writes/withheld.ts';

/**
 * The request of a plan as it is sent: below the base URL, with the credential of its caller and the user's
 * headers.
 *
 * @throws {NotExercised} when the caller is not known, or the operation is left out or at another server
 * @throws {Hindered} when it would be too long to be sent
 */
export function compose(target: Target, api: string, plan: RequestPlan, options: SendOptions): SentRequest {
  if (plan.operation !== undefined && !target.serves(plan.server)) {
    const { reason, missing = '' } = atAnother(target, plan.server);
    throw new NotExercised(missing, reason);
  }
  const base = target.baseOf(api);
  // A fragment, which some documents use to distinguish operations with the same path, is never sent.
  const filled = plan.target
    .replace(/\{([^{}]+)\}/g, (whole, name: string) =>
      Object.hasOwn(options.fill ?? {}, name) ? (options.fill?.[name] ?? whole) : whole,
    )
    .replace(/#[^?]*/, '');
  const leftOut = target.leftOut.sent(api, { ...plan, target: belowBase(base, plan, filled) });
  if (leftOut !== undefined) throw new NotExercised('', leftOut.reason);
  const withheld = withheldGap(target.fixtures, plan);
  if (withheld !== undefined) throw new NotExercised(withheld.missing ?? '', withheld.reason);
  const credentials = together(target, plan, credentialOf(target, plan.as, options));
  const inQuery = credentials.filter((one) => 'query' in one);
  const path = inQuery.reduce(withQuery, filled);
  const body = encodeBody(options.body);
  const given = credentials.filter((one) => 'cookie' in one).reduce(withCookie, options.headers ?? []);
  // Targets and headers may contain text of the server: a cursor, an id, an entity tag.
  if ([path, ...given.map(([, value]) => value)].some(({ length }) => length > LONGEST_SENT))
    throw new Hindered(
      `a request with a target or a header of more than ${LONGEST_SENT} characters is not sent`,
    );
  const carried = credentials.flatMap((one): (readonly [string, string])[] =>
    'header' in one ? [[one.header, one.value]] : [],
  );
  const own = [...carried, ...given];
  const added = target.headers.filter(
    ([name]) => headerOf(own, name) === undefined && !isLeftOut(plan, { in: 'header', name }),
  );
  const has = (name: string): boolean => headerOf([...added, ...given], name) !== undefined;
  const headers: (readonly [string, string])[] = [['Host', base.host], ...carried];
  if (!has('accept')) headers.push(['Accept', '*/*']);
  // Bodies are compared byte by byte and by length, so they must not be compressed.
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'identity']);
  if (!has('user-agent')) headers.push(['User-Agent', 'tallystick']);
  if (body !== undefined && !has('content-type'))
    headers.push(['Content-Type', options.contentType ?? 'application/json']);
  headers.push(...[...added, ...given].map(([name, value]): [string, string] => [name, value]));
  const needsLength = body !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(plan.method);
  if (options.isChunked === true && body !== undefined) headers.push(['Transfer-Encoding', 'chunked']);
  else if (needsLength && !has('content-length') && !has('transfer-encoding'))
    headers.push(['Content-Length', String(body?.length ?? 0)]);
  return {
    method: plan.method,
    target: plan.fromOrigin === true ? path : `${below(base, plan)}${path}`,
    headers,
    body,
    as: plan.as,
    ...(inQuery[0] === undefined ? {} : { keyParameter: inQuery[0].query }),
  };
}

/** What a caller lacks of the credentials that an operation requires together. */
export function lackedBy(
  target: Target,
  { as, together, judgesCredential }: RequestPlan,
): readonly CredentialPlace[] {
  const { valid, apiKey, jwt, [as]: own } = target.credentials;
  if (together === undefined || !isUsable(as) || as === 'refused' || judgesCredential === true) return [];
  const known = [own, valid, apiKey, jwt].flatMap((one) => (one === undefined ? [] : [credentialPlace(one)]));
  const given = target.headers.map(([name]): CredentialPlace => ({ in: 'header', name }));
  return together.places.filter((place) => ![...known, ...given].some((one) => isSamePlace(one, place)));
}

// --- internal ---

/** The path of the base URL; that of the operation's own server in its place, if that is another. */
function below({ pathname }: URL, { server }: RequestPlan): string {
  const path = pathname.replace(/\/$/, '');
  const [documented = '', own = ''] = server?.paths ?? [];
  return server === undefined || !path.endsWith(documented) || path === ''
    ? path
    : `${path.slice(0, path.length - documented.length)}${own}`;
}

/** The target of a plan as the document writes it: links are paths of the origin. */
function belowBase(base: URL, plan: RequestPlan, target: string): string {
  const prefix = below(base, plan);
  return plan.fromOrigin === true && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;
}

const LONGEST_SENT = 100_000;

function credentialOf(
  target: Target,
  as: Identity,
  { credential: given }: SendOptions,
): Credential | undefined {
  if (as === 'none') return undefined;
  if (as === 'unusable')
    return given === undefined || 'value' in given ? given : { header: given[0], value: given[1] };
  const credential = target.credentials[as];
  if (credential === undefined && !target.isOpen(as)) throw new NotExercised(needOf(as));
  return credential;
}

/**
 * The credential of the caller, with the additional ones that the operation requires. Headers of the user are
 * added later.
 */
function together(
  { credentials: { valid, apiKey, jwt } }: Target,
  plan: RequestPlan,
  credential: Credential | undefined,
): readonly Credential[] {
  if (plan.as === 'unusable') return credential === undefined ? [] : [credential];
  const known = [credential, valid, apiKey, jwt].filter((one) => one !== undefined);
  const beside = (plan.together?.places ?? []).flatMap((place) => {
    const isOwn = credential !== undefined && isSamePlace(credentialPlace(credential), place);
    return isOwn || isLeftOut(plan, place)
      ? []
      : (known.find((one) => isSamePlace(credentialPlace(one), place)) ?? []);
  });
  return [...(credential === undefined ? [] : [credential]), ...beside];
}

/** Whether a call without a caller omits the credential in this place. */
function isLeftOut({ as, together }: RequestPlan, place: CredentialPlace): boolean {
  if (as !== 'none' || together === undefined) return false;
  const { places, lacks } = together;
  return (lacks === undefined ? places : [lacks]).some((one) => isSamePlace(one, place));
}

function withQuery(
  path: string,
  { query, value }: { readonly query: string; readonly value: string },
): string {
  return `${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(query)}=${encodeURIComponent(value)}`;
}

/**
 * A request has only one header with that name (RFC 6265, section 5.4). The value is not encoded, because it
 * may already be.
 */
function withCookie(
  headers: NonNullable<SendOptions['headers']>,
  { cookie, value }: { readonly cookie: string; readonly value: string },
): NonNullable<SendOptions['headers']> {
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'cookie';
  const pairs = headers.filter(isCookie).map(([, text]) => text);
  return [
    ...headers.filter((header) => !isCookie(header)),
    ['Cookie', [...pairs, `${cookie}=${value}`].join('; ')],
  ];
}

function encodeBody(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
