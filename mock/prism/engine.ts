/**
 * The contract engine made of Prism: this folder alone knows prism-http and fp-ts. Documents are read by `operations.ts`,
 * and `memory.ts` lets go of what Prism keeps of them. Prism routes and judges every request and every
 * response; what it would answer itself is not used, except for examples of operations that have no behaviour. Deep
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
  AnswerWish,
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

// Prism is CommonJS; by `require` its modules look the same under every loader. Loaded when the first document is read.
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
 * Reads the document of a contract into Prism. Takes a while: Prism is loaded on the first call.
 *
 * @param options.judge `prism` has Prism judge everything as a whole: to compare what is judged faster with it
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
        // Prism says 405 without naming the methods; 404 for everything else.
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

    example(operationId, request, wish = {}): Example {
      const mocker = require('@stoplight/prism-http/dist/mocker/index.js') as Prism['mocker'];
      // A callback would be sent to an address that the request names.
      const { callbacks: _never, ...resource } = forSamples(operation(operationId).resource);
      // A fresh configuration each time: Prism writes the first caller's media types into it.
      const { code, example, dynamic = false, seed, refused = [] } = wish;
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
      // Prism answers something else where no content of the wanted answer is acceptable.
      const isOther = code !== undefined && (first._tag === 'Left' || first.right.statusCode !== code);
      const { accept: _any, ...others } = asking.headers;
      const made =
        isOther && asking.headers['accept'] !== undefined ? make({ ...asking, headers: others }) : first;
      if (made._tag === 'Left') return refusedExample(made.left, resource, wish);
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

/** An operation as Prism reads it, and what of a request's headers its verdict can depend on. */
interface Judged {
  readonly resource: IHttpOperation;
  /** The operation as it is, as if it took no parameters, and as if it took nothing at all. */
  readonly judging: Partial<Record<Without, Judging>>;
  readonly headerNames: readonly string[];
  /** What its schemas refer to. */
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

/** A body of an answer without findings is remembered, with its place: answers are often equal, to the last character. */
const MOST_VERDICTS = { most: 4_000, characters: 2 ** 20, longest: 2 ** 14 };
/** A shorter one is judged in the time that it takes to find it. */
const SHORTEST = 500;
const CLEAN: readonly EngineFinding[] = [];
const UNKNOWN: readonly EngineFinding[] = [];

type Asking = (isClean: () => boolean, ask: () => readonly EngineFinding[]) => readonly EngineFinding[];

const asked: Asking = (_isClean, ask) => ask();

/** Asks Prism only where it is not plain that it would find nothing. */
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
 * Whether a header is not the document's to describe: `Content-Type` is that of its content (OpenAPI 3.1, "Response Object"), the
 * others say how an answer is sent.
 */
function isOfTransport(name: string): boolean {
  return /^(?:content-type|content-length|transfer-encoding|connection|keep-alive|date|trailer|upgrade)$/i.test(
    name,
  );
}

/** The value of a header as OpenAPI's style `simple` writes it; `undefined` for nothing. */
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
 * The operation as if it declared nothing but this response, and that without headers: they differ from answer to answer
 * where bodies do not, so that Prism judges them by themselves.
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

/** With these headers only. */
function prismRequest(request: JudgedRequest, headerNames: readonly string[]): IHttpRequest {
  const { body } = request;
  const headers: Dictionary<string> = {};
  for (const name of headerNames) {
    const value = headerOf(request.headers, name);
    if (value !== undefined) headers[name] = value;
  }
  // Prism looks at the media type only where a length is stated; chunked requests state none.
  if (body !== undefined) headers['content-length'] = '1';
  const { authorization, 'content-type': type } = headers;
  // Names of schemes and of media types may be written in any case (RFC 9110, sections 8.3.1 and 11.1); Prism knows one.
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

/** A name that is there several times has a list of values. */
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
 * Prism throws on percent-encoding that cannot be decoded, so such a percent sign is escaped for it. It takes escapes in small
 * letters for other text than in capitals.
 */
function decodablePath(path: string): string {
  if (!path.includes('%')) return path;
  return path
    .replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase())
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

/** Prism throws on text that is not a media type; it gets a type that no document names. */
function isMediaType(text: string | undefined): boolean {
  return text === undefined || /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(text);
}

const ABSENT = /#NOT.FOUND:/;

/** What Prism answers where it cannot make an example: 406 with what could be had, 404 for one that is not there, else 500. */
function refusedExample(
  { name, message, ...problem }: Error & { readonly status?: number; readonly detail?: string },
  { responses }: Pick<IHttpOperation, 'responses'>,
  { code, example }: AnswerWish,
): Example {
  // For a status and an example at once, Prism hides its 404 in the type that is named in another error's text.
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

/** The headers of a response about whose values the document says nothing, beside a format. */
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
