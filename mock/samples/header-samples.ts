import { isRecord } from '../../contract/index.ts';
import type { Operation } from '../../contract/model.ts';
import { baseUrlOf } from '../base-url.ts';
import type { HeaderLine } from '../call/answer.ts';
import type { FrontRequest } from '../call/front.ts';
import { tagOf } from '../enacted/hash.ts';

/** A header that the document does not restrict: any text is valid. */
export interface OpenHeader {
  readonly name: string;
  readonly format: string | undefined;
}

/** The sources for the values of headers. */
export interface HeaderSource {
  readonly request: FrontRequest;
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly status: number;
  readonly body: unknown;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Realistic values for HTTP headers, instead of arbitrary text: dates are dates, tags are quoted, and an
 * address can be fetched. A header that the mock cannot fill correctly, such as `Content-Encoding`, is left
 * out.
 */
export function lifelikeHeaders(
  headers: readonly HeaderLine[],
  open: readonly OpenHeader[],
  source: HeaderSource,
): HeaderLine[] {
  const byName = new Map(open.map((header) => [header.name.toLowerCase(), header]));
  return headers.flatMap(([name, value]): HeaderLine[] => {
    const header = byName.get(name.toLowerCase());
    const make = header === undefined ? undefined : VALUES.get(name.toLowerCase());
    if (header === undefined || make === undefined) return [[name, value]];
    const made = make(source, header);
    return made === undefined ? [] : [[name, made]];
  });
}

/** The address of the document's paths for the caller; absolute if the document requires a URI. */
export function reachable(request: FrontRequest, path: string, format: string | undefined): string {
  const isAbsolute = format === 'uri' || format === 'url' || format === 'iri';
  const origin = isAbsolute ? (baseUrlOf(request, undefined) ?? '') : '';
  return origin + pathBefore(request) + path;
}

// --- internal ---

type Value = (source: HeaderSource, header: OpenHeader) => string | undefined;

/** IMF-fixdate, or the format that the document requires. */
const moment =
  (afterMs: number): Value =>
  ({ now }, { format }) => {
    const date = new Date(now + afterMs);
    if (format === 'date-time') return date.toISOString();
    return format === 'date' ? date.toISOString().slice(0, 10) : date.toUTCString();
  };

const address: Value = ({ request }, { format }) => reachable(request, request.path, format);
const none: Value = () => undefined;
const text =
  (value: string): Value =>
  () =>
    value;

const HOUR_MS = 3_600_000;

const VALUES = new Map<string, Value>(
  Object.entries({
    etag: ({ body, request }) => tagOf(JSON.stringify(body) ?? request.path),
    'last-modified': moment(-HOUR_MS),
    expires: moment(HOUR_MS),
    sunset: moment(HOUR_MS * 24 * 365),
    'retry-after': text('1'),
    location: (source, { format }) => reachable(source.request, createdPath(source), format),
    'content-location': address,
    link: (source, header) => `<${address(source, header) ?? '/'}>; rel="self"`,
    'cache-control': text('no-cache'),
    'content-disposition': text('attachment'),
    'content-language': text('en'),
    'accept-ranges': text('none'),
    age: text('0'),
    vary: text('Accept'),
    allow: ({ operation, operations }) =>
      operations
        .filter(({ path }) => path === operation.path)
        .map(({ method }) => method.toUpperCase())
        .join(', '),
    'set-cookie': text('session=mock; Path=/; HttpOnly'),
    'content-encoding': none,
    'content-range': none,
  }),
);

/**
 * The address of the created resource; that of the request if the document has no operation for reading it.
 */
function createdPath({ request, operation, operations, status, body }: HeaderSource): string {
  if (status !== 201 && status !== 202) return request.path;
  const { path } = operation;
  for (const { method, path: other, parameters } of operations) {
    if (method !== 'get' || !other.startsWith(`${path.replace(/\/$/, '')}/{`)) continue;
    const [, name] = /\/\{([^{}/]+)\}$/.exec(other.slice(path.length - (path.endsWith('/') ? 1 : 0))) ?? [];
    if (name === undefined || !parameters.some((parameter) => parameter.name === name)) continue;
    const id = idIn(body, name);
    if (id !== undefined) return `${request.path.replace(/\/$/, '')}/${encodeURIComponent(id)}`;
  }
  return request.path;
}

/** The id of the thing in a body: the member with the name of the parameter, or `id`. */
function idIn(body: unknown, name: string): string | undefined {
  if (!isRecord(body)) return undefined;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const members = [body, ...Object.values(body).filter(isRecord)].flatMap((each) => Object.entries(each));
  const found =
    members.find(([member]) => plain(member) === plain(name)) ??
    members.find(([member]) => /^_?id$/i.test(member));
  const [, value] = found ?? [];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The prefix of the document's paths for the caller, such as the path of its server. */
function pathBefore({ raw, path }: FrontRequest): string {
  const [sent = ''] = raw.target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?', 1);
  return sent.endsWith(path) ? sent.slice(0, sent.length - path.length) : '';
}
