import { isBodiless } from '../../contract/judge/body-format.ts';
import { isRecord, valueAt } from '../../contract/index.ts';
import type { Contract, Json, Operation, Parameter, SecurityScheme } from '../../contract/model.ts';
import type { CredentialShape, SampleCall } from '../control/shape.ts';
import type { JudgedRequest } from '../call/engine.ts';
import type { ApiWithEngine } from '../call/pipeline.ts';
import { type BodySample, bodySamples, jsonBody } from './body-sample.ts';
import { styleOf } from '../../contract/served/served-parameters.ts';
import { schemaSample } from './schema-sample.ts';

/**
 * A call that a document accepts and answers with success, made only from the document: its examples, or
 * values generated from its schemas. Simple calls come first. `undefined` if none could be made.
 */
export function declaredSample(api: Described): SampleCall | undefined {
  const simpleFirst = api.contract.operations
    .filter(({ method }) => method !== 'head' && method !== 'options' && method !== 'trace')
    .sort((a, b) => effort(a) - effort(b))
    .slice(0, MOST_TRIED);
  for (const operation of simpleFirst)
    for (const candidate of candidates(api, operation)) {
      // Other bodies are not read here, and are long on a command line.
      const isPlain = candidate.body === undefined || candidate.body.json !== undefined;
      if (isPlain && succeeds(candidate, operation, api)) return candidate.call;
    }
  return undefined;
}

/** The credential for a mock of a document: any of the declared form. */
export function declaredCredential({ operations }: Contract): CredentialShape {
  const secured = operations.flatMap(({ security }) => security).filter(({ schemes }) => schemes.length > 0);
  const words = new Set(secured.flatMap(({ schemes }) => schemes.map(inWords)));
  const headers: [string, string][] = [];
  const ignore = (): void => undefined;
  const cookie = (name: string, text: string): void => void headers.push(['Cookie', `${name}=${text}`]);
  const put: Put = {
    path: ignore,
    query: ignore,
    cookie,
    header: (name, text) => void headers.push([name, text]),
  };
  for (const scheme of secured[0]?.schemes ?? []) present(scheme, put);
  return words.size === 0
    ? { kind: 'none', value: '', headers: [] }
    : { kind: 'any', value: [...words].join(', or '), headers };
}

/**
 * A call of one operation, made from its document and the mock's state: the first that the document accepts.
 * It may still fail. `undefined` if a parameter cannot be generated.
 */
export function operationSample(api: Described, operation: Operation): SampleCall | undefined {
  let first: SampleCall | undefined;
  for (const candidate of candidates(api, operation)) {
    const isJudged = candidate.body === undefined || candidate.body.json !== undefined;
    if (!isJudged || isAccepted(candidate, operation, api)) return candidate.call;
    first ??= candidate.call;
  }
  return first;
}

// --- internal ---

type Described = Pick<ApiWithEngine, 'contract' | 'engine' | 'credential' | 'known'>;

interface Candidate {
  readonly call: SampleCall;
  readonly body: BodySample | undefined;
}

/** Inserts a value for parameters and credentials. */
type Put = Readonly<Record<Parameter['in'], (name: string, text: string) => void>>;

/** The limit for operations that are tried, because a document can have thousands of operations. */
const MOST_TRIED = 100;

function effort({ method, parameters, requestBody, security }: Operation): number {
  const required = parameters.filter((each) => each.required).length;
  const body = requestBody === undefined ? 0 : 10;
  const credential = security.length === 0 ? 0 : 1;
  return (method === 'get' ? 0 : method === 'delete' ? 200 : 100) + required * 2 + body + credential;
}

/** The ways to present a credential; none at all comes first. */
function waysIn({ security }: Operation): ((put: Put) => void)[] {
  if (security.length === 0) return [() => undefined];
  return [...security]
    .sort((a, b) => a.schemes.length - b.schemes.length)
    .map(({ schemes }) => (put) => {
      for (const scheme of schemes) present(scheme, put);
    });
}

/** Calls of an operation: each credential combined with each body. */
function* candidates(api: Described, operation: Operation): Generator<Candidate> {
  const { contract, credential } = api;
  const { root } = contract.document;
  // A document can declare several credentials, and some of them cannot be generated.
  const ways =
    credential.kind === 'key'
      ? [
          (put: Put): void => {
            for (const [name, value] of credential.headers) put.header(name, value);
          },
        ]
      : waysIn(operation);
  const known = api.known?.(operation) ?? {};
  const { requestBody } = operation;
  const bodies = function* (): Generator<BodySample | undefined> {
    const isSent = requestBody !== undefined && !isBodiless(operation.method);
    if (isSent && known.body !== undefined) yield jsonBody(known.body);
    if (isSent) yield* bodySamples(requestBody, root);
    if (!isSent || !requestBody.required) yield undefined;
  };
  for (const presentIn of ways)
    for (const body of bodies()) {
      const call = callOf(operation, { root, presentIn, body, named: known.parameters ?? {} });
      if (call !== undefined) yield { call, body };
    }
}

function callOf(
  operation: Operation,
  made: {
    readonly root: Contract['document']['root'];
    readonly presentIn: (put: Put) => void;
    readonly body: BodySample | undefined;
    readonly named: Readonly<Record<string, string>>;
  },
): SampleCall | undefined {
  const { root, body, named } = made;
  let path = operation.path;
  const query: string[] = [];
  const headers: [string, string][] = [];
  const cookies: string[] = [];
  const put: Put = {
    path: (name, text) => (path = path.replaceAll(`{${name}}`, encodeURIComponent(text))),
    query: (name, text) => query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`),
    header: (name, text) => headers.push([name, text]),
    cookie: (name, text) => cookies.push(`${name}=${encodeURIComponent(text)}`),
  };
  for (const parameter of operation.parameters) {
    if (!parameter.required) continue;
    const isNamed = parameter.in === 'path' && Object.hasOwn(named, parameter.name);
    const value = isNamed ? (named[parameter.name] ?? '') : parameterSample(parameter, root);
    const texts = Array.isArray(value) ? value : [value];
    if (texts.some((text) => typeof text === 'object')) return undefined;
    const written = styled(parameter, texts.map(String));
    if (parameter.in === 'path') path = path.replaceAll(`{${parameter.name}}`, written.join(''));
    else if (parameter.in === 'header') headers.push([parameter.name, written.join(',')]);
    else (parameter.in === 'query' ? query : cookies).push(...written);
  }
  made.presentIn(put);
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  if (body !== undefined) headers.push(['Content-Type', body.contentType]);
  return {
    method: operation.method.toUpperCase(),
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body: body?.text ?? '',
  };
}

/** The texts of a parameter in its style: pairs in a query and in cookies (OpenAPI 3.1, "Style Values"). */
function styled(parameter: Parameter, texts: readonly string[]): readonly string[] {
  const { in: place, name, explode } = parameter;
  const style = styleOf(parameter);
  const encode = place === 'header' || style === 'cookie' ? String : encodeURIComponent;
  const items = texts.map((text) => encode(text));
  const pair = (text: string): string => `${encodeURIComponent(name)}=${text}`;
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
  if (style === 'label') return [`.${items.join(explode ? '.' : ',')}`];
  if (style === 'matrix') return (explode ? items : [items.join(',')]).map((text) => `;${pair(text)}`);
  if (place === 'path' || place === 'header') return [items.join(',')];
  return (explode ? items : [items.join(delimiter)]).map(pair);
}

function parameterSample({ pointer, schema, name }: Parameter, root: Contract['document']['root']): Json {
  const declared = valueAt(root, pointer);
  if (isRecord(declared)) {
    const { example, examples } = declared;
    if (example !== undefined) return example as Json;
    const [first] = isRecord(examples) ? Object.values(examples) : [];
    if (isRecord(first) && first['value'] !== undefined) return first['value'] as Json;
  }
  const made = schemaSample(schema, root);
  // An empty path segment would change the path.
  return made === '' ? name : made;
}

/** The mock has no accounts for a user's document: any value of the right form is accepted. */
function present({ type, in: place, parameterName, scheme }: SecurityScheme, put: Put): void {
  if (type === 'apiKey') put[place ?? 'header'](parameterName ?? 'X-API-Key', 'mock');
  else if (type === 'oauth2' || type === 'openIdConnect' || scheme?.toLowerCase() === 'bearer')
    put.header('Authorization', 'Bearer mock');
  else if (scheme?.toLowerCase() === 'basic') put.header('Authorization', `Basic ${btoa('mock:mock')}`);
}

function inWords({ type, in: place, parameterName, scheme }: SecurityScheme): string {
  switch (type) {
    case 'apiKey':
      return `any value in the ${place === 'query' ? 'query parameter' : (place ?? 'header')} ${parameterName ?? ''}`;
    case 'mutualTLS':
      return 'a client certificate';
    case 'oauth2':
    case 'openIdConnect':
      return 'any bearer token';
    case 'http':
      if (scheme?.toLowerCase() === 'bearer') return 'any bearer token';
      return scheme?.toLowerCase() === 'basic' ? 'any user and password' : `any ${scheme ?? ''} credential`;
  }
}

/** Whether the document accepts a request without a body, or with JSON. */
function isAccepted(
  candidate: Candidate,
  operation: Operation,
  { engine }: Pick<Described, 'engine'>,
): boolean {
  return engine
    .checkRequest(operation.id, requestOf(candidate, operation))
    .every(({ severity }) => severity === 'warning');
}

function succeeds(
  candidate: Candidate,
  operation: Operation,
  api: Pick<Described, 'engine' | 'credential'>,
): boolean {
  const request = requestOf(candidate, operation);
  const [, search] = candidate.call.target.split('?');
  const match = api.engine.match(candidate.call.method, request.path, search);
  if (match.kind !== 'operation' || match.operationId !== operation.id) return false;
  if (!isAccepted(candidate, operation, api)) return false;
  // Behaviours, not examples, answer the built-in APIs.
  if (api.credential.kind === 'key') return true;
  const { status } = api.engine.example(operation.id, request);
  return status >= 200 && status < 300;
}

function requestOf({ call, body }: Candidate, { method }: Operation): JudgedRequest {
  const [path = '', search = ''] = call.target.split('?');
  return {
    ...{ method, path },
    query: [...new URLSearchParams(search)].map(([name, value]) => ({ name, value })),
    headers: Object.fromEntries(call.headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...(body?.json === undefined ? { body: undefined } : { body: body.json, bodyText: body.text }),
  };
}
