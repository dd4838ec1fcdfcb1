import { isRecord, valueAt } from '../../contract/index.ts';
import type { Contract, Json, Operation, Parameter, SecurityScheme } from '../../contract/model.ts';
import type { CredentialShape, SampleCall } from '../control/shape.ts';
import type { ApiWithEngine } from '../call/pipeline.ts';
import { schemaSample } from './schema-sample.ts';

/**
 * A call that a document takes and answers with success, made of the document alone: its examples, or values made up from
 * its schemas. Simple calls come first. `undefined` when none could be made.
 */
export function declaredSample({ contract, engine, credential }: Described): SampleCall | undefined {
  const simpleFirst = contract.operations
    .filter(({ method }) => method !== 'head' && method !== 'options' && method !== 'trace')
    .sort((a, b) => effort(a) - effort(b))
    .slice(0, MOST_TRIED);
  for (const operation of simpleFirst) {
    // A document of the user's own can offer several credentials, and not each of them can be made up.
    const ways =
      credential.kind === 'any' ? waysIn(operation) : [(put: Put) => presentAll(credential.headers, put)];
    for (const present of ways) {
      const call = callOf(operation, contract, present);
      if (call !== undefined && succeeds(call, operation, { engine, credential })) return call;
    }
  }
  return undefined;
}

/** What a caller presents to a mock of a document: anything that has the declared form. */
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
 * A call of one operation, made of the document alone; nothing says that it succeeds. `undefined` where its body or a
 * parameter cannot be made up.
 */
export function operationSample(
  { contract, credential }: Pick<ApiWithEngine, 'contract' | 'credential'>,
  operation: Operation,
): SampleCall | undefined {
  return callOf(operation, contract, (put) => {
    presentAll(credential.headers, put);
  });
}

// --- internal ---

type Described = Pick<ApiWithEngine, 'contract' | 'engine' | 'credential'>;

/** Puts a value where parameters and credentials stand. */
type Put = Readonly<Record<Parameter['in'], (name: string, text: string) => void>>;

/** A document can have thousands of operations, and each one tried is judged. */
const MOST_TRIED = 100;

function effort({ method, parameters, requestBody, security }: Operation): number {
  const required = parameters.filter((each) => each.required).length;
  const body = requestBody === undefined ? 0 : 10;
  const credential = security.length === 0 ? 0 : 1;
  return (method === 'get' ? 0 : method === 'delete' ? 200 : 100) + required * 2 + body + credential;
}

/** The ways to present a credential; that without any comes first. */
function waysIn({ security }: Operation): ((put: Put) => void)[] {
  if (security.length === 0) return [() => undefined];
  return [...security]
    .sort((a, b) => a.schemes.length - b.schemes.length)
    .map(({ schemes }) => (put) => {
      for (const scheme of schemes) present(scheme, put);
    });
}

function presentAll(headers: CredentialShape['headers'], put: Put): void {
  for (const [name, value] of headers) put.header(name, value);
}

function callOf(
  operation: Operation,
  contract: Contract,
  presentIn: (put: Put) => void,
): SampleCall | undefined {
  const { root } = contract.document;
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
    const value = parameterSample(parameter, root);
    const texts = Array.isArray(value) ? value : [value];
    if (texts.some((text) => typeof text === 'object')) return undefined;
    if (parameter.in === 'query' && parameter.explode)
      for (const text of texts) put.query(parameter.name, String(text));
    else put[parameter.in](parameter.name, texts.map(String).join(','));
  }
  presentIn(put);
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  const body = operation.requestBody === undefined ? '' : bodyOf(operation.requestBody, root);
  if (body === undefined) return undefined;
  if (body !== '') headers.push(['Content-Type', 'application/json']);
  return {
    method: operation.method.toUpperCase(),
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body,
  };
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
  // An empty path segment would be another path.
  return made === '' ? name : made;
}

/** Empty when none has to be sent, `undefined` when one is needed that is no JSON. */
function bodyOf(
  { required, content }: NonNullable<Operation['requestBody']>,
  root: Contract['document']['root'],
): string | undefined {
  const json = content.find(({ mediaType }) => /^application\/json\b/i.test(mediaType));
  if (json === undefined) return required ? undefined : '';
  const [example] = json.examples;
  return JSON.stringify(example === undefined ? schemaSample(json.schema, root) : example.value);
}

/** The mock has no accounts of its own for a document: any value of the right form is taken. */
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

function succeeds(
  { method, target, headers, body }: SampleCall,
  operation: Operation,
  { engine, credential }: Pick<Described, 'engine' | 'credential'>,
): boolean {
  const [path = '', search = ''] = target.split('?');
  const request = {
    method: operation.method,
    path,
    query: [...new URLSearchParams(search)].map(([name, value]) => ({ name, value })),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...(body === '' ? { body: undefined } : { body: JSON.parse(body) as unknown, bodyText: body }),
  };
  const match = engine.match(method, path);
  if (match.kind !== 'operation' || match.operationId !== operation.id) return false;
  if (engine.checkRequest(operation.id, request).length > 0) return false;
  // Our own APIs are answered by behaviours, and not with examples.
  if (credential.kind === 'key') return true;
  const { status } = engine.example(operation.id, request);
  return status >= 200 && status < 300;
}
