/**
 * The contract engine made of Prism: the only file that knows prism-http and fp-ts. Prism routes and judges every
 * request and every response; what it would answer itself is not used, except for examples of operations that have no
 * behaviour. Deep imports, because its index offers no single steps and loads its generator of fake data.
 */
import { createRequire } from 'node:module';
import type { Dictionary, IHttpOperation } from '@stoplight/types';
import type mocker from '@stoplight/prism-http/dist/mocker/index.js';
import type router from '@stoplight/prism-http/dist/router/index.js';
import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http/dist/types.js';
import type reader from '@stoplight/prism-http/dist/utils/operations.js';
import type validator from '@stoplight/prism-http/dist/validator/index.js';
import type { Contract, HttpMethod } from '../contract/model.ts';
import type { ContractEngine, Example, Finding, JudgedRequest, JudgedResponse, Match } from './engine.ts';
import { isDecodable } from './front.ts';

// Prism is CommonJS; by `require` its modules look the same under every loader. Loaded when the first document is read.
const require = createRequire(import.meta.url);

interface Prism {
  readonly router: typeof router;
  readonly validator: typeof validator;
  readonly reader: typeof reader;
  readonly mocker: typeof mocker;
}

/** Reads the document of a contract into Prism. Takes a while: Prism is loaded on the first call. */
export async function prismEngine(contract: Contract): Promise<ContractEngine> {
  const router = require('@stoplight/prism-http/dist/router/index.js') as Prism['router'];
  const validator = require('@stoplight/prism-http/dist/validator/index.js') as Prism['validator'];
  const reader = require('@stoplight/prism-http/dist/utils/operations.js') as Prism['reader'];
  sayLess();
  rememberTemplates();
  // Prism resolves references in place; the contract keeps its own copy.
  const resources = await reader.getHttpOperationsFromSpec(structuredClone(contract.document.root) as object);
  const routes = new RouteIndex(resources);
  const operations = new Map<string, IHttpOperation>();
  for (const operation of contract.operations) {
    const resource = resources.find(
      ({ method, path }) => method === operation.method && path === operation.path,
    );
    if (resource !== undefined) operations.set(operation.id, resource);
  }
  const idOf = new Map([...operations].map(([id, resource]) => [resource, id]));

  const operation = (id: string): IHttpOperation => {
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

    checkRequest(operationId, request) {
      const resource = operation(operationId);
      const element = prismRequest(request);
      return judge(() => [
        ...leftOf(validator.validateSecurity({ resource, element })).map(securityFinding),
        ...leftOf(validator.validateInput({ resource, element })).map(findingOf),
      ]);
    },

    checkResponse(operationId, response) {
      const element = prismResponse(response);
      return judge(() =>
        leftOf(validator.validateOutput({ resource: operation(operationId), element })).map(responseFinding),
      );
    },

    example(operationId, request): Example {
      const mocker = require('@stoplight/prism-http/dist/mocker/index.js') as Prism['mocker'];
      // A callback would be sent to an address that the request names.
      const { callbacks: _never, ...resource } = operation(operationId);
      // A fresh configuration each time: Prism writes the first caller's media types into it.
      const config = { dynamic: false };
      const input = { data: prismRequest(request), validations: [] };
      const made = mocker.default({ resource, input, config } as never)(silentLogger as never);
      if (made._tag === 'Left') {
        return { status: 500, headers: [], body: { title: made.left.message }, generated: true };
      }
      const { statusCode, headers = {}, body } = made.right;
      return {
        status: statusCode,
        headers: Object.entries(headers),
        body,
        generated: !hasExample(resource, statusCode),
      };
    },
  };
}

// --- internal ---

/** Prism compiles the template of a path anew for every request; a document has few of them. */
function rememberTemplates(): void {
  const validator = require.resolve('@stoplight/prism-http/dist/validator/index.js');
  const { URI } = createRequire(validator)('uri-template-lite') as { URI: { Template: TemplateMaker } };
  const Made = URI.Template;
  if (remembering.has(Made)) return;
  const templates = new Map<string, object>();
  // A constructor that gives out an object of its own making: `new` hands that on.
  const remembered = function (template: string): object {
    const known = templates.get(template) ?? new Made(template);
    templates.set(template, known);
    return known;
  } as unknown as TemplateMaker;
  remembering.add(remembered);
  URI.Template = remembered;
}

type TemplateMaker = new (template: string) => object;

const remembering = new WeakSet<TemplateMaker>();

/** A body can have millions of faults, and Prism puts each into words: the first ones say enough. */
function sayLess(): void {
  const wording = require('@stoplight/prism-http/dist/validator/validators/utils.js') as Wording;
  if (limited.has(wording)) return;
  limited.add(wording);
  const inWords = wording.convertAjvErrors;
  wording.convertAjvErrors = (errors, ...rest) => inWords(errors.slice(0, MOST_FINDINGS), ...rest);
}

interface Wording {
  convertAjvErrors: (errors: readonly unknown[], ...rest: readonly unknown[]) => unknown;
}

const limited = new WeakSet<Wording>();
const MOST_FINDINGS = 100;

interface Diagnostic {
  readonly path?: readonly (string | number)[] | undefined;
  readonly code?: string | number | undefined;
  readonly message: string;
}

type Verdict =
  | { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] }
  | { readonly _tag: 'Right'; readonly right: unknown };

function leftOf(verdict: Verdict): readonly Diagnostic[] {
  return verdict._tag === 'Left' ? verdict.left : [];
}

/** Prism throws on some hostile input; that too is a verdict. */
function judge(check: () => readonly Finding[]): readonly Finding[] {
  try {
    return check();
  } catch (error) {
    return [
      {
        at: 'request',
        keyword: 'unreadable',
        message: error instanceof Error ? error.message : 'unreadable',
      },
    ];
  }
}

function findingOf({ path, code, message }: Diagnostic): Finding {
  const inBody = path === undefined || path.length === 0;
  return { at: inBody ? 'body' : path.join('.'), keyword: String(code ?? ''), message };
}

function responseFinding(diagnostic: Diagnostic): Finding {
  const about = diagnostic.message.startsWith('Unable to match the returned status')
    ? 'status'
    : 'content-type';
  if (diagnostic.path === undefined || diagnostic.path.length === 0) {
    return { at: about, keyword: 'undeclared', message: diagnostic.message };
  }
  return findingOf(diagnostic);
}

function securityFinding({ code, message }: Diagnostic): Finding {
  return { at: 'security', keyword: String(code ?? ''), message };
}

function prismRequest(request: JudgedRequest): IHttpRequest {
  const query: Dictionary<string | string[]> = {};
  for (const { name, value } of request.query) {
    const earlier = Object.hasOwn(query, name) ? query[name] : undefined;
    query[name] = earlier === undefined ? value : [...[earlier].flat(), value];
  }
  const { body } = request;
  const headers = { ...request.headers };
  // Prism looks at the media type only where a length is stated; chunked requests state none.
  if (body !== undefined) headers['content-length'] = '1';
  if (!isMediaType(headers['content-type'])) headers['content-type'] = 'application/x-unreadable';
  return {
    method: request.method.toLowerCase() as HttpMethod,
    url: { path: decodablePath(request.path), query },
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

function prismResponse(response: JudgedResponse): IHttpResponse {
  const headers: Dictionary<string> = {};
  for (const [name, value] of response.headers) headers[name.toLowerCase()] = value;
  return { statusCode: response.status, headers, body: response.body };
}

/** Prism dies on percent-encoding that cannot be decoded: it gets the text that was meant by nobody. */
function decodablePath(path: string): string {
  if (!path.includes('%')) return path;
  return path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

/** Prism dies on a media type that is none; it gets one that no document names. */
function isMediaType(text: string | undefined): boolean {
  return text === undefined || /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(text);
}

function hasExample(resource: Pick<IHttpOperation, 'responses'>, status: number): boolean {
  const response = resource.responses.find(({ code }) => code === String(status));
  return (response?.contents ?? []).some(({ examples = [] }) => examples.length > 0);
}

/** Narrows down what Prism has to look at, which is every operation otherwise, and remembers its verdicts. */
class RouteIndex {
  readonly #byLength = new Map<
    number,
    { parts: readonly (string | undefined)[]; resource: IHttpOperation }[]
  >();
  #remembered = new Map<string, Match>();

  constructor(resources: readonly IHttpOperation[]) {
    for (const resource of resources) {
      const parts = resource.path.split('/').map((part) => (/{.+}/.test(part) ? undefined : part));
      const bucket = this.#byLength.get(parts.length) ?? [];
      this.#byLength.set(parts.length, [...bucket, { parts, resource }]);
    }
  }

  /** Operations whose fixed segments are those of the path. */
  candidates(path: string): IHttpOperation[] {
    const segments = path.split('/').map(decoded);
    const sameLength = this.#byLength.get(segments.length) ?? [];
    return sameLength
      .filter(({ parts }) => parts.every((part, i) => part === undefined || part === segments[i]))
      .map(({ resource }) => resource);
  }

  methodsAt(path: string): readonly string[] {
    return [...new Set(this.candidates(path).map(({ method }) => method.toUpperCase()))].sort();
  }

  remember(method: string, path: string, find: () => Match): Match {
    const key = `${method} ${path}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const match = path.startsWith('/') ? find() : ({ kind: 'none' } as const);
    if (key.length <= LONGEST_REMEMBERED) {
      if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered = new Map();
      this.#remembered.set(key, match);
    }
    return match;
  }
}

const MOST_REMEMBERED = 5_000;
const LONGEST_REMEMBERED = 400;

function decoded(segment: string): string {
  return isDecodable(segment) ? decodeURIComponent(segment) : segment;
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
