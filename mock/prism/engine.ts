/**
 * The contract engine on Prism: only this folder imports prism-http and fp-ts. `operations.ts` reads
 * documents, and `memory.ts` releases what Prism keeps of them. Prism routes and validates every request and
 * every response. Its own answers are not used, except for examples of operations without a behaviour. Deep
 * imports, because its index offers no single steps and loads its generator of fake data.
 */
import { createRequire } from 'node:module';
import type { HttpMethod, Dictionary, IHttpOperation } from '@stoplight/types';
import type mocker from '@stoplight/prism-http/dist/mocker/index.js';
import type router from '@stoplight/prism-http/dist/router/index.js';
import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http/dist/types.js';
import type validator from '@stoplight/prism-http/dist/validator/index.js';
import type responses from '@stoplight/prism-http/dist/validator/utils/spec.js';
import type parts from '@stoplight/prism-http/dist/validator/validators/index.js';
import type contexts from '@stoplight/prism-http/dist/validator/validators/types.js';
import type { Contract } from '../../contract/model.ts';
import type {
  AnswerChoice,
  ContractEngine,
  Example,
  EngineFinding,
  JudgedRequest,
  JudgedResponse,
  Match,
} from '../call/engine.ts';
import { isDecodable } from '../call/front.ts';
import { acceptable, bodyOrAny, mediaTypeOf } from './accepted.ts';
import { findingOf, judge, leftOf, responseFinding, securityFinding } from './findings.ts';
import { useFakerOptions } from './faker-options.ts';
import { forSamples, operationsOf } from './operations.ts';
import { patchPrism } from './patches.ts';
import { boundPatterns, withinBounds } from './patterns.ts';
import { plainAnswers, plainRequests, type PlainAnswers, type PlainRequests } from './plain-verdicts.ts';
import { Remembered } from '../call/remembered.ts';
import { asReceived, RouteIndex } from './route-index.ts';

// Prism is CommonJS: with `require`, its modules look the same under every loader. Loaded when the first
// document is read.
const require = createRequire(import.meta.url);

interface Prism {
  readonly router: typeof router;
  readonly validator: typeof validator;
  readonly responses: typeof responses;
  readonly parts: typeof parts;
  readonly contexts: typeof contexts;
  readonly mocker: typeof mocker;
}

/**
 * Reads the document of a contract into Prism. The first call takes a while, because it loads Prism.
 *
 * @param options.judge with `prism`, Prism validates everything as a whole: for comparisons with the faster
 * validation
 */
export async function prismEngine(
  contract: Contract,
  { judge: wanted }: { readonly judge?: 'prism' } = {},
): Promise<ContractEngine> {
  const router = require('@stoplight/prism-http/dist/router/index.js') as Prism['router'];
  const validator = require('@stoplight/prism-http/dist/validator/index.js') as Prism['validator'];
  const { findOperationResponse } =
    require('@stoplight/prism-http/dist/validator/utils/spec.js') as Prism['responses'];
  const parts = require('@stoplight/prism-http/dist/validator/validators/index.js') as Prism['parts'];
  const { ValidationContext } =
    require('@stoplight/prism-http/dist/validator/validators/types.js') as Prism['contexts'];
  patchPrism();
  boundPatterns(contract);
  const resources = await operationsOf(contract.document.root);
  const operations = new Map<string, Judged>();
  for (const operation of contract.operations) {
    const path = asReceived(operation.path);
    const resource = resources.find((each) => each.method === operation.method && each.path === path);
    if (resource !== undefined) operations.set(operation.id, judged(resource));
  }
  const routes = new RouteIndex([...operations.values()].map(({ resource }) => resource));
  const idOf = new Map([...operations].map(([id, { resource }]) => [resource, id]));
  const cleanBodies = new Remembered<string>(MOST_VERDICTS);
  const unlessClean = wanted === 'prism' ? asked : cleanOrAsked;

  const operation = (id: string): Judged => {
    const found = operations.get(id);
    if (found === undefined) throw new Error(`${contract.name} has no operation ${id}`);
    return found;
  };

  return {
    match(method, path): Match {
      return routes.remember(method, path, () => {
        const candidates = routes.candidates(path);
        const input = { method: method.toLowerCase() as HttpMethod, url: { path } };
        const routed = candidates.length === 0 ? undefined : router.default({ resources: candidates, input });
        if (routed === undefined) return { kind: 'none' };
        if (routed._tag === 'Right') return { kind: 'operation', operationId: idOf.get(routed.right) ?? '' };
        // Prism returns 405 without the allowed methods, and 404 for everything else.
        const otherMethod = 'status' in routed.left && routed.left.status === 405;
        return otherMethod ? { kind: 'other-method', allow: routes.methodsAt(path) } : { kind: 'none' };
      });
    },

    checkRequest(operationId, request, without) {
      const known = operation(operationId);
      const { resource, isClean } = judgingOf(known, without);
      return judge(() =>
        unlessClean(
          () => isClean(request),
          () => {
            const element = prismRequest(request, known.headerNames);
            return [
              ...leftOf(validator.validateSecurity({ resource, element })).map(securityFinding),
              ...withinBounds(() => leftOf(validator.validateInput({ resource, element })).map(findingOf)),
            ];
          },
        ),
      );
    },

    checkResponse(operationId, response, without) {
      const known = operation(operationId);
      const declared = declaredResponse(known, response.status, findOperationResponse);
      const element = prismResponse(response);
      const { headers = {} } = element;
      const check = (resource: IHttpOperation): readonly EngineFinding[] =>
        withinBounds(() => leftOf(validator.validateOutput({ resource, element })).map(responseFinding));
      return judge(() => {
        if (declared.kind === 'undeclared') return check(declared.resource);
        const { isClean, withoutHeaders } = declared;
        const bodyText = (response.bodyText ?? '').length < SHORTEST ? undefined : response.bodyText;
        const place = `${operationId} ${String(response.status)} ${headers['content-type'] ?? ''}`;
        const isKnown = wanted !== 'prism' && bodyText !== undefined && cleanBodies.get(bodyText) === place;
        const inBody =
          isKnown || without !== undefined
            ? CLEAN
            : unlessClean(
                () => isClean.body(headers, response.body),
                () => check(withoutHeaders),
              );
        if (!isKnown && without === undefined && inBody.length === 0 && bodyText !== undefined)
          cleanBodies.set(bodyText, place);
        const inHeaders = unlessClean(
          () => isClean.headers(headers),
          () =>
            withinBounds(() =>
              leftOf(
                parts.validateHeaders(headers, declared.headers, ValidationContext.Output, known.bundle),
              ).map(responseFinding),
            ),
        );
        return inHeaders.length === 0 ? inBody : [...inBody, ...inHeaders];
      });
    },

    example(operationId, request, choice = {}): Example {
      const mocker = require('@stoplight/prism-http/dist/mocker/index.js') as Prism['mocker'];
      // A callback would be sent to an address that the request names.
      const { callbacks: _never, ...resource } = forSamples(operation(operationId).resource);
      // A fresh configuration each time, because Prism adds the first caller's media types to it.
      const { code, example, dynamic = false, seed, refused = [] } = choice;
      const config = { dynamic, code, exampleKey: example, seed, ignoreExamples: dynamic };
      const validations = refused.map(({ at, keyword, message }) => ({
        message,
        severity: 0,
        code: at === 'security' ? 401 : keyword === '415' ? 415 : keyword,
      }));
      const asking = acceptable(request);
      const make = ({ headers }: JudgedRequest): ReturnType<ReturnType<typeof mocker.default>> => {
        const data = prismRequest({ ...request, headers }, Object.keys(headers));
        const input = { data, validations };
        if (dynamic) useFakerOptions(contract.document.root);
        return mocker.default({ resource, input, config: { ...config } } as never)(silentLogger as never);
      };
      const first = make(asking);
      // Prism answers with another status if no content of the requested answer is acceptable.
      const isOther = code !== undefined && (first._tag === 'Left' || first.right.statusCode !== code);
      const { accept: _any, ...others } = asking.headers;
      const made =
        isOther && asking.headers['accept'] !== undefined ? make({ ...asking, headers: others }) : first;
      if (made._tag === 'Left') return refusedExample(made.left, resource, choice);
      const { statusCode, headers = {} } = made.right;
      const body = bodyOrAny(made.right.body, headerText(headers['Content-type']));
      return {
        status: statusCode,
        headers: Object.entries(headers as Dictionary<unknown>).flatMap(([name, value]) => {
          const isPrisms = name === 'Content-type' && body !== undefined;
          const text = isPrisms
            ? mediaTypeOf(headerText(value), body, asking.headers.accept)
            : headerText(value);
          return text === undefined || (isOfTransport(name) && !isPrisms) ? [] : [[name, text] as const];
        }),
        body,
        generated: dynamic || !hasExample(resource, statusCode),
        openHeaders: openHeadersOf(resource, statusCode),
      };
    },
  };
}

// --- internal ---

/** An operation as Prism reads it, with the request headers that can affect its verdict. */
interface Judged {
  readonly resource: IHttpOperation;
  /** The operation itself, without parameters, and without parameters and body. */
  readonly judging: Partial<Record<Without, Judging>>;
  readonly headerNames: readonly string[];
  /** The targets of references in its schemas. */
  readonly bundle: unknown;
  readonly responses: Map<number, DeclaredResponse>;
}

type Without = 'nothing' | 'parameters' | 'input';

interface Judging {
  readonly resource: IHttpOperation;
  readonly isClean: PlainRequests;
}

type DeclaredResponse =
  | { readonly kind: 'undeclared'; readonly resource: IHttpOperation }
  | {
      readonly kind: 'declared';
      readonly withoutHeaders: IHttpOperation;
      readonly headers: HeaderSpecs;
      readonly isClean: PlainAnswers;
    };

type HeaderSpecs = Parameters<Prism['parts']['validateHeaders']>[1];

/**
 * A valid body of an answer is remembered, together with its place, because answers are often equal to the
 * last character.
 */
const MOST_VERDICTS = { most: 4_000, characters: 2 ** 20, longest: 2 ** 14 };
/** A shorter one is validated in the time of a lookup. */
const SHORTEST = 500;
const CLEAN: readonly EngineFinding[] = [];
const UNKNOWN: readonly EngineFinding[] = [];

type Asking = (isClean: () => boolean, ask: () => readonly EngineFinding[]) => readonly EngineFinding[];

const asked: Asking = (_isClean, ask) => ask();

/** Asks Prism only if it might find something. */
const cleanOrAsked: Asking = (isClean, ask) => {
  const found = withinBounds(() => (isClean() ? CLEAN : UNKNOWN));
  return found === UNKNOWN ? ask() : found;
};

function judgingOf(known: Judged, without: Without = 'nothing'): Judging {
  const made = known.judging[without];
  if (made !== undefined) return made;
  const { resource } = known;
  const { body } = resource.request ?? {};
  const request = without === 'input' || body === undefined ? {} : { body };
  const reduced = without === 'nothing' ? resource : ({ ...resource, request } as IHttpOperation);
  return (known.judging[without] = { resource: reduced, isClean: plainRequests(reduced) });
}

/**
 * Whether the document does not describe a header: `Content-Type` belongs to its content (OpenAPI 3.1,
 * "Response Object"), the others describe the transfer of an answer.
 */
function isOfTransport(name: string): boolean {
  return /^(?:content-type|content-length|transfer-encoding|connection|keep-alive|date|trailer|upgrade)$/i.test(
    name,
  );
}

/** The value of a header in OpenAPI's style `simple`; `undefined` for no value. */
function headerText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'object'
    ? Object.entries(value).flat().map(String).join(',')
    : String(value as string);
}

function judged(resource: IHttpOperation): Judged {
  const declared = resource.request?.headers ?? [];
  const keys = (resource.security ?? []).flat().filter((scheme) => scheme.type === 'apiKey');
  const names = [...declared, ...keys].map(({ name }) => name.toLowerCase());
  const always = ['authorization', 'cookie', 'content-type', 'content-length'];
  return {
    resource,
    headerNames: [...new Set([...always, ...names])],
    bundle: (resource as { readonly __bundled__?: unknown }).__bundled__,
    responses: new Map(),
    judging: {},
  };
}

/**
 * The operation with only this response, and without its headers, which Prism validates separately: headers
 * differ between answers whose bodies are equal.
 */
function declaredResponse(
  { resource, responses }: Judged,
  status: number,
  find: Prism['responses']['findOperationResponse'],
): DeclaredResponse {
  const known = responses.get(status);
  if (known !== undefined) return known;
  const found = find(resource.responses, status);
  let made: DeclaredResponse = { kind: 'undeclared', resource };
  if (found._tag === 'Some') {
    const response = found.value;
    const headers = (response.headers ?? []).filter(({ name }) => !isOfTransport(name));
    made = {
      kind: 'declared',
      withoutHeaders: { ...resource, responses: [{ ...response, headers: [] }] },
      headers: headers as unknown as HeaderSpecs,
      isClean: plainAnswers({ ...response, headers }, resource),
    };
  }
  responses.set(status, made);
  return made;
}

function headerOf(headers: JudgedRequest['headers'], name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** With only these headers. */
function prismRequest(request: JudgedRequest, headerNames: readonly string[]): IHttpRequest {
  const { body } = request;
  const headers: Dictionary<string> = {};
  for (const name of headerNames) {
    const value = headerOf(request.headers, name);
    if (value !== undefined) headers[name] = value;
  }
  // Prism checks the media type only if the request has a length, which chunked requests do not have.
  if (body !== undefined) headers['content-length'] = '1';
  const { authorization, 'content-type': type } = headers;
  // Names of schemes and of media types are case-insensitive (RFC 9110, sections 8.3.1 and 11.1); Prism
  // accepts only one form.
  if (authorization !== undefined)
    headers['authorization'] = authorization.replace(
      /^(?:basic|bearer|digest)(?=\s)/i,
      (scheme) => scheme.slice(0, 1).toUpperCase() + scheme.slice(1).toLowerCase(),
    );
  if (type !== undefined) headers['content-type'] = type.replace(/^[^;]*/, (name) => name.toLowerCase());
  if (!isMediaType(headers['content-type'])) headers['content-type'] = 'application/x-unreadable';
  return {
    method: request.method.toLowerCase() as HttpMethod,
    url: { path: decodablePath(request.path), query: gathered(request.query) },
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

/** The values of a repeated name become a list. */
function gathered(pairs: JudgedRequest['query']): Dictionary<string | string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]),
  );
}

function prismResponse(response: JudgedResponse): IHttpResponse {
  const headers: Dictionary<string> = {};
  for (const [name, value] of response.headers) headers[name.toLowerCase()] = value;
  return { statusCode: response.status, headers, body: response.body };
}

/**
 * Prism throws on undecodable percent-encoding, so such a percent sign is escaped for it. It treats
 * lower-case and upper-case escapes as different text.
 */
function decodablePath(path: string): string {
  if (!path.includes('%')) return path;
  return path
    .replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase())
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

/** Prism throws on text that is not a media type, so it gets a type that no document names. */
function isMediaType(text: string | undefined): boolean {
  return text === undefined || /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(text);
}

const ABSENT = /#NOT.FOUND:/;

/**
 * Prism's error when it cannot make an example: 406 with the available types, 404 for a missing example, else
 * 500.
 */
function refusedExample(
  { name, message, ...problem }: Error & { readonly status?: number; readonly detail?: string },
  { responses }: Pick<IHttpOperation, 'responses'>,
  { code, example }: AnswerChoice,
): Example {
  // For a status together with an example, Prism hides its 404 in the text of another error.
  const isAbsent = problem.status === 404 || (example !== undefined && ABSENT.test(message));
  const status = isAbsent ? 404 : problem.status === 406 ? 406 : 500;
  const types = responses
    .filter(({ code }) => /^2/.test(code))
    .flatMap(({ contents = [] }) => contents.map(({ mediaType }) => mediaType));
  const available = [...new Set(types)];
  // Prism's errors are named by their types.
  const type = name.startsWith('https:') ? { type: name } : {};
  return {
    status,
    headers: [['Content-Type', 'application/problem+json']],
    body:
      status === 406
        ? { ...type, title: message, status, detail: `Available: ${available.join(', ')}.`, available }
        : status === 404
          ? { ...type, title: 'No such answer', status, detail: absent(code, example) }
          : { ...type, title: message, status, detail: problem.detail },
    generated: true,
    isRefusal: true,
  };
}

function absent(code: number | undefined, example: string | undefined): string {
  const ofExample = example === undefined ? '' : ` with an example ${example}`;
  return `The document has no answer${code === undefined ? '' : ` ${String(code)}`}${ofExample} here.`;
}

/** The headers of a response whose values the document does not restrict, except by a format. */
function openHeadersOf(
  { responses }: Pick<IHttpOperation, 'responses'>,
  status: number,
): NonNullable<Example['openHeaders']> {
  const codes = [String(status), `${String(status).slice(0, 1)}XX`, 'default'];
  const response = codes.flatMap((code) => responses.find((each) => each.code === code) ?? [])[0];
  return (response?.headers ?? []).flatMap(({ name, schema, examples = [] }) => {
    const says = SAYING.some(
      (keyword) => (schema as Dictionary<unknown> | undefined)?.[keyword] !== undefined,
    );
    return says || examples.length > 0 ? [] : [{ name, format: schema?.format }];
  });
}

const SAYING = [
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'pattern',
  'oneOf',
  'anyOf',
  'allOf',
  '$ref',
];

function hasExample(resource: Pick<IHttpOperation, 'responses'>, status: number): boolean {
  const response = resource.responses.find(({ code }) => code === String(status));
  return (response?.contents ?? []).some(({ examples = [] }) => examples.length > 0);
}

const nothing = (): void => undefined;
const silentLogger = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  success: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: (): unknown => silentLogger,
};
