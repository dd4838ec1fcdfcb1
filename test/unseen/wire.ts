import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Clock, Transport, WireRequest, WireResponse } from '../../conformance/index.ts';

export type Thing = Record<string, unknown>;

export interface Call {
  readonly operation: string;
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  /** The parsed body, its bytes where it is no JSON, or undefined where the operation has none. */
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly stream?: AsyncIterable<string>;
}

/** A refusal that a handler throws. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, message = code, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export interface Service {
  /** Judges the caller; throws a refusal for one that is not known. */
  readonly admit: (call: Omit<Call, 'body'>) => void;
  readonly handle: (call: Call) => Promise<Answer> | Answer;
  /** The answer to a refusal. */
  readonly refused: (refusal: Refusal) => Answer;
  /** Headers of every answer. */
  readonly always: (call: Pick<Call, 'operation'>, status: number) => Readonly<Record<string, string>>;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly mediaType: string | undefined;
  readonly checkBody: Check | undefined;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly isInteger: boolean;
    readonly check: Check;
  }[];
}

type Check = (value: unknown) => boolean;

/** The text of a file of this folder. */
export const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** A server in this process that checks parameters and bodies by its document. */
export function serve(document: string, service: Service): Transport {
  const operations = operationsOf(document);
  return async (request) => {
    const url = new URL(`http://localhost${request.target.replace(/^\/\/+/, '/')}`);
    const here = operations.filter(({ pattern }) => pattern.test(url.pathname));
    const operation = here.find(({ method }) => method === request.method.toLowerCase());
    const answer = await answerTo(request, url, here, operation, service);
    const always = service.always({ operation: operation?.id ?? '' }, answer.status);
    return wire({ ...answer, headers: { ...always, ...answer.headers } });
  };
}

/** Lists of entity tags, by strong or weak comparison. */
export function hasTag(list: string, tag: string, isWeak: boolean): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(W\/)?"[^"]*"/g) ?? [];
  const bare = (text: string): string => (isWeak ? text.replace(/^W\//, '') : text);
  return tags.some((one) => bare(one) === bare(tag));
}

/** The same text for the same JSON, whatever the order of members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Lets other calls run, as a server does that waits for its store. */
export const pause = (clock: Clock): Promise<void> => clock.sleep(5);

// --- internal ---

async function answerTo(
  request: WireRequest,
  url: URL,
  here: readonly Operation[],
  operation: Operation | undefined,
  service: Service,
): Promise<Answer> {
  const header = (name: string): string | undefined => {
    const lines = request.headers.filter(([one]) => one.toLowerCase() === name.toLowerCase());
    return lines.length === 0 ? undefined : lines.map(([, value]) => value).join(', ');
  };
  try {
    const query = Object.fromEntries(url.searchParams);
    const found = operation?.pattern.exec(url.pathname) ?? [];
    const path = Object.fromEntries(
      (operation?.names ?? []).map((name, at) => [name, decoded(found[at + 1] ?? '')]),
    );
    const call = {
      operation: operation?.id ?? '',
      method: request.method,
      path,
      query,
      header,
      signal: request.signal,
    };
    service.admit(call);
    if (here.length === 0) throw new Refusal(404, 'not_found', 'There is nothing at this path.');
    if (operation === undefined) {
      const allow = here.map(({ method }) => method.toUpperCase()).join(', ');
      throw new Refusal(405, 'other_method', 'The path has other methods.', { Allow: allow });
    }
    checkParameters(operation, url, header);
    return await service.handle({ ...call, body: bodyOf(operation, request, header) });
  } catch (error) {
    if (error instanceof Refusal) return service.refused(error);
    return service.refused(new Refusal(500, 'internal', 'The server failed.'));
  }
}

function checkParameters(operation: Operation, url: URL, header: (name: string) => string | undefined): void {
  for (const { name, in: place, required, isInteger, check } of operation.parameters) {
    const values = place === 'query' ? url.searchParams.getAll(name) : [header(name)];
    if (values.length > 1) throw new Refusal(400, 'invalid', `${name} is given twice.`);
    const [value] = values;
    if (value === undefined) {
      if (required) throw new Refusal(400, 'invalid', `${name} is missing.`);
    } else if (!check(isInteger && /^-?\d+$/.test(value) ? Number(value) : value)) {
      throw new Refusal(400, 'invalid', `${name} is not valid.`);
    }
  }
}

function bodyOf(
  operation: Operation,
  request: WireRequest,
  header: (name: string) => string | undefined,
): unknown {
  if (operation.mediaType === undefined) return undefined;
  const type = header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  const bytes = request.body ?? new Uint8Array();
  if (bytes.length === 0) throw new Refusal(400, 'invalid', 'The body is missing.');
  if (type !== operation.mediaType) throw new Refusal(415, 'media_type', 'The media type is not known.');
  if (!type.endsWith('json')) return bytes;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'invalid', 'The body is no JSON.');
  }
}

const checks = new WeakMap<object, Check>();

/** Whether the body of a call is valid by the document. */
export function isValid(document: string, id: string, body: unknown): boolean {
  const check = operationsOf(document).find((one) => one.id === id)?.checkBody;
  return check === undefined || check(body);
}

const read = new Map<string, readonly Operation[]>();

function operationsOf(document: string): readonly Operation[] {
  const known = read.get(document);
  if (known !== undefined) return known;
  const root = parse(document) as Thing;
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...root, $id: 'root' });
  const compile = (schema: unknown): Check => {
    const known = checks.get(schema as object);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"#/', '"root#/');
    const validate = ajv.compile(JSON.parse(text) as object);
    const check: Check = (value) => validate(value) === true;
    checks.set(schema as object, check);
    return check;
  };
  const made: Operation[] = [];
  for (const [path, item] of Object.entries(root['paths'] as Record<string, Thing>)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const one = item[method] as Thing | undefined;
      if (one === undefined) continue;
      const requestBody = whole(root, one['requestBody']) as
        { content: Record<string, { schema: unknown }> } | undefined;
      const content = requestBody?.content;
      const [mediaType, media] = Object.entries(content ?? {})[0] ?? [];
      const parameters = [
        ...((item['parameters'] as Thing[] | undefined) ?? []),
        ...((one['parameters'] as Thing[] | undefined) ?? []),
      ].map((parameter) => whole(root, parameter) as Thing);
      made.push({
        id: String(one['operationId']),
        method,
        pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
        names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => String(name)),
        mediaType,
        checkBody: media === undefined ? undefined : compile(media.schema),
        parameters: parameters
          .filter(({ in: place }) => place !== 'path')
          .map(({ name, in: place, required, schema }) => ({
            name: String(name),
            in: String(place),
            required: required === true,
            isInteger: (schema as Thing)['type'] === 'integer',
            check: compile(schema),
          })),
      });
    }
  }
  read.set(document, made);
  return made;
}

/** What a reference leads to. */
function whole(root: Thing, value: unknown): unknown {
  const reference = (value as Thing | undefined)?.['$ref'];
  if (typeof reference !== 'string') return value;
  const parts = reference.slice(2).split('/');
  return parts.reduce<unknown>((within, part) => (within as Thing)[part], root);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function wire({ status, headers = {}, json, text, stream }: Answer): WireResponse {
  const whole = json === undefined ? text : JSON.stringify(json);
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const bytes = new TextEncoder();
  return {
    status,
    headers: Object.entries({ ...type, ...headers }),
    body: (async function* () {
      if (whole !== undefined && whole !== '') yield bytes.encode(whole);
      if (stream !== undefined) for await (const piece of stream) yield bytes.encode(piece);
    })(),
  };
}
