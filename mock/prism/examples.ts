import type { Dictionary, IHttpOperation } from '@stoplight/types';
import type mockers from '@stoplight/prism-http/dist/mocker/index.js';
import type { JsonObject } from '../../contract/model.ts';
import type { AnswerChoice, Example, JudgedRequest } from '../call/engine.ts';
import { acceptable, bodyOrAny, mediaTypeOf } from './accepted.ts';
import { useFakerOptions } from './faker-options.ts';
import { prismRequest } from './messages.ts';
import { loadMaker } from './late-modules.ts';
import { forSamples } from './sampled-operations.ts';

// Loaded when the first example is made.
const MOCKER = '@stoplight/prism-http/dist/mocker/index.js';
let mocker: typeof mockers | undefined;

/**
 * An answer that Prism makes from the document: its example, or values generated from its schema. It is never an
 * interim answer (1xx), because the mock does not switch to another protocol: then it is another declared answer, or
 * 426 (RFC 9110, section 15.5.22).
 */
export function exampleOf(
  root: JsonObject,
  declared: IHttpOperation,
  request: JudgedRequest,
  choice: AnswerChoice,
): Example {
  const made = preferred(root, declared, request, choice);
  if (made.status >= 200) return made;
  const codes = declared.responses.flatMap(({ code }) => (/^[2-5]\d\d$/.test(code) ? [Number(code)] : []));
  const other = codes.find((code) => code < 400) ?? codes[0];
  if (other !== undefined) return preferred(root, declared, request, { ...choice, code: other });
  const headers = [['Upgrade', 'websocket']] as const;
  return { status: 426, headers, body: undefined, generated: true, isRefusal: true };
}

/** The answer that Prism prefers. */
function preferred(
  root: JsonObject,
  declared: IHttpOperation,
  request: JudgedRequest,
  choice: AnswerChoice,
): Example {
  mocker ??= loadMaker(MOCKER) as typeof mockers;
  const make = mocker.default;
  // A callback would be sent to an address that the request names.
  const { callbacks: _never, ...resource } = forSamples(declared);
  // A fresh configuration each time, because Prism adds the first caller's media types to it.
  const { code, example, dynamic = false, seed, refused = [] } = choice;
  const config = { dynamic, code, exampleKey: example, seed, ignoreExamples: dynamic };
  const validations = refused.map(({ at, keyword, message }) => ({
    message,
    severity: 0,
    code: at === 'security' ? 401 : keyword === '415' ? 415 : keyword,
  }));
  const asking = acceptable(request);
  const answered = ({ headers }: JudgedRequest): ReturnType<ReturnType<typeof make>> => {
    const data = prismRequest({ ...request, headers }, Object.keys(headers));
    const input = { data, validations };
    if (dynamic) useFakerOptions(root);
    const made = make({ resource, input, config: { ...config } } as never)(silentLogger as never);
    // json-schema-faker fails with some schemas. The small value that Prism makes without it has the same status.
    const isBroken =
      dynamic && made._tag === 'Left' && (made.left as { status?: unknown }).status === undefined;
    if (!isBroken) return made;
    return make({ resource, input, config: { ...config, dynamic: false } } as never)(silentLogger as never);
  };
  const first = answered(asking);
  // Prism answers with another status if no content of the requested answer is acceptable.
  const isOther = code !== undefined && (first._tag === 'Left' || first.right.statusCode !== code);
  const { accept: _any, ...others } = asking.headers;
  const made =
    isOther && asking.headers['accept'] !== undefined ? answered({ ...asking, headers: others }) : first;
  if (made._tag === 'Left') return refusedExample(made.left, resource, choice);
  const { statusCode, headers = {} } = made.right;
  const body = bodyOrAny(made.right.body, headerText(headers['Content-type']));
  return {
    status: statusCode,
    headers: Object.entries(headers as Dictionary<unknown>).flatMap(([name, value]) => {
      const isPrisms = name === 'Content-type' && body !== undefined;
      const text = isPrisms ? mediaTypeOf(headerText(value), body, asking.headers.accept) : headerText(value);
      return text === undefined || (isOfTransport(name) && !isPrisms) ? [] : [[name, text] as const];
    }),
    body,
    generated: dynamic || !hasExample(resource, statusCode),
    openHeaders: openHeadersOf(resource, statusCode),
  };
}

/**
 * Whether the document does not describe a header: `Content-Type` belongs to its content (OpenAPI 3.1,
 * "Response Object"), the others describe the transfer of an answer.
 */
export function isOfTransport(name: string): boolean {
  return /^(?:content-type|content-length|transfer-encoding|connection|keep-alive|date|trailer|upgrade)$/i.test(
    name,
  );
}

// --- internal ---

/** The value of a header in OpenAPI's style `simple`; `undefined` for no value. */
function headerText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'object'
    ? Object.entries(value).flat().map(String).join(',')
    : String(value as string);
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
