import { bodiesOf, contentFor } from '../../contract/judge/bodies.ts';
import type { Bodies } from '../../contract/judge/bodies.ts';
import { isJson } from '../../contract/judge/body-format.ts';
import { isDefaultSuccess } from '../../contract/sheet/declared-facts.ts';
import type { CredentialPlace } from '../../contract/index.ts';
import { mainSchemeOf, placeOfScheme, placesTogether } from '../../contract/index.ts';
import { compilerOf } from '../../contract/judge/judge.ts';
import type { Compiler, Misfit } from '../../contract/judge/judge.ts';
import type {
  Contract,
  Json,
  JsonObject,
  MediaType,
  Operation,
  Parameter,
  Response,
  ResponseHeader,
  Schema,
} from '../../contract/model.ts';
import { framingOf } from '../../contract/sequential/framing.ts';
import { ownServerOf } from '../../contract/document/own-server.ts';
import { requestPath } from '../../contract/sheet/request-path.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { pieceReader } from '../http/piece-reader.ts';
import type { Identity, RequestPlan } from '../scenarios/scenario.ts';
import { formsOf } from '../target/fitting-caller.ts';
import type { CredentialForm } from '../target/credential.ts';

/**
 * A user's own contract, as probes query it: its operations, how to call them, and their possible answers.
 */
export class OwnApi {
  readonly contract: Contract;
  /** The document with all of its schemas in one dialect. */
  readonly root: JsonObject;
  readonly bodies: Bodies;
  readonly #names = new Map<Schema, string>();
  readonly #inline = new Map<string, Schema>();
  readonly #main: string | undefined;
  #forms: readonly CredentialForm[] | undefined;
  #compiler: Compiler | undefined;
  #addresses: ReadonlyMap<string, readonly Operation[]> | undefined;

  constructor(contract: Contract) {
    const { root } = contract.document;
    const components = root['components'] as JsonObject | undefined;
    const schemas = Object.fromEntries(contract.schemas.map(({ name, schema }) => [name, schema]));
    this.contract = contract;
    this.root = { ...root, components: { ...components, schemas } };
    this.bodies = bodiesOf(contract);
    this.#main = mainSchemeOf(contract)?.name;
    for (const { parameters, responses } of contract.operations)
      for (const { schema } of [...parameters, ...responses.flatMap(({ headers }) => headers)]) {
        if (this.#names.has(schema)) continue;
        this.#names.set(schema, `schema ${this.#names.size}`);
        this.#inline.set(`schema ${this.#inline.size}`, schema);
      }
  }

  get name(): string {
    return this.contract.name;
  }

  /** The operations that probes call; most servers refuse TRACE before it reaches the API. */
  get operations(): readonly Operation[] {
    return this.contract.operations.filter(({ method }) => method !== 'trace');
  }

  operation(id: string): Operation | undefined {
    return this.operations.find((operation) => operation.id === id);
  }

  at(method: string, path: string): Operation | undefined {
    return this.operations.find((operation) => operation.method === method && operation.path === path);
  }

  /**
   * The operations at the address of one: paths can differ in a fragment, which no request has, so that a server decides
   * by something else.
   */
  atAddressOf(operation: Operation): readonly Operation[] {
    this.#addresses ??= byAddress(this.operations);
    return this.#addresses.get(addressOf(operation)) ?? [operation];
  }

  /** A request for an operation, with placeholders for its parameters. */
  plan(operation: Operation, parts: Partial<RequestPlan> = {}): RequestPlan {
    const places = this.#placesOf(operation);
    const server = ownServerOf(this.contract, operation);
    return {
      ...this.#takesOf(operation),
      method: operation.method.toUpperCase(),
      target: `${asSent(requestPath(operation))}{?query}`,
      as: this.callerOf(operation),
      ...(parts.as === undefined ? this.#credentialOf(operation) : {}),
      times: 1,
      operation: operation.id,
      ...(server === undefined ? {} : { server }),
      ...(places.length === 0 ? {} : { together: { places } }),
      ...parts,
    };
  }

  /**
   * The caller of an operation: with the scheme of most operations, else with a key, or with a bearer token. `none` if it
   * requires no credential.
   */
  callerOf(operation: Operation): Identity {
    const isRequired = mayTakeCredential(operation) && !isOptional(operation);
    return isRequired ? this.#usableFor(operation) : 'none';
  }

  /** The credential that a call may have although the document does not require one. */
  #credentialOf(operation: Operation): Pick<RequestPlan, 'credential'> {
    const as = this.#usableFor(operation);
    if (isOptional(operation)) return { credential: { as, sent: 'if-known' } };
    return isUndeclared(operation) ? { credential: { as, sent: 'if-wanted' } } : {};
  }

  #usableFor(operation: Operation): Usable {
    if (this.#main === undefined || this.isOpened(operation)) return 'valid';
    return usualKind(operation);
  }

  #takesOf(operation: Operation): Pick<RequestPlan, 'takes'> {
    const forms = formsOf(operation);
    if (forms.length === 0) return {};
    this.#forms ??= this.contract.operations.flatMap(formsOf);
    return { takes: { forms, others: this.#forms, instead: usualKind(operation) } };
  }

  /** Where the credentials of an operation go that one credential does not open: of its first such alternative. */
  #placesOf(operation: Operation): readonly CredentialPlace[] {
    const places = placesTogether(operation);
    const isOpened = this.#usableFor(operation) !== 'valid' || this.isOpened(operation);
    if (places.length > 0 || isOpened) return places;
    const together = operation.security.find(
      ({ schemes }) => schemes.length > 1 && schemes.some(({ name }) => name === this.#main),
    );
    return (together?.schemes ?? []).flatMap((scheme) => placeOfScheme(scheme) ?? []);
  }

  /** Whether the usual credential alone is sufficient for an operation, by the document. */
  isOpened({ security }: Operation): boolean {
    return security.some(({ schemes }) => schemes.length === 1 && schemes[0]?.name === this.#main);
  }

  /** The faults of a value of a parameter or of a header. */
  misfits(described: Parameter | ResponseHeader, value: unknown): readonly Misfit[] {
    const name = this.#names.get(described.schema);
    if (name === undefined) throw new Error(`${described.name} is not of this document`);
    this.#compiler ??= compilerOf(this.contract, this.#inline, named(this.contract));
    return this.#compiler.judge(name, value);
  }
}

export function isRead({ method }: Operation): boolean {
  return method === 'get' || method === 'head' || method === 'options';
}

/** Whether every call requires a credential in the request. */
export function isSecured({ security, parameters }: Operation): boolean {
  const takesOne = ({ schemes }: Operation['security'][number]): boolean =>
    schemes.some(({ type }) => type !== 'mutualTLS');
  // A key that is also a parameter is sent with the parameters.
  const isParameter = security.some(({ schemes }) =>
    schemes.some((scheme) => {
      const place = placeOfScheme(scheme);
      const isNamed = parameters.some(({ in: at, name }) => at === place?.in && alike(name, place.name));
      return isNamed;
    }),
  );
  return security.length > 0 && security.every(takesOne) && !isParameter;
}

/** Whether the document allows a call with a credential in the request, and one without any. */
export function isOptional(operation: Operation): boolean {
  return mayTakeCredential(operation) && operation.security.some(({ schemes }) => schemes.length === 0);
}

/** Whether the operation accepts a credential in the request. */
function mayTakeCredential({ security }: Operation): boolean {
  return security.some(({ schemes }) => schemes.some((scheme) => placeOfScheme(scheme) !== undefined));
}

/** Whether the document has no credential for an operation, neither in the request nor beside it. */
export function isUndeclared({ security }: Operation): boolean {
  return security.every(({ schemes }) => schemes.length === 0);
}

export function pathParameters({ parameters }: Pick<Operation, 'parameters'>): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'path');
}

/** The operation with a method on one of the things below the path of another, and the parameter with the id of that thing. */
export function itemOf(
  api: Pick<OwnApi, 'operations'>,
  { path }: Pick<Operation, 'path'>,
  methods: readonly string[] = ['get', 'delete', 'put', 'patch'],
): { readonly operation: Operation; readonly parameter: string } | undefined {
  for (const method of methods)
    for (const operation of api.operations) {
      if (operation.method !== method || !operation.path.startsWith(`${path}/{`)) continue;
      const last = pathParameters(operation).find(({ name }) => operation.path === `${path}/{${name}}`);
      if (last !== undefined) return { operation, parameter: last.name };
    }
  return undefined;
}

/** The document's description of an answer with this status: by the status, by its class, or by default. */
export function responseFor(operation: Operation, status: number): Response | undefined {
  const { responses } = operation;
  const byDefault = status >= 400 && isDefaultSuccess(operation) ? [] : ['default'];
  const wanted = [String(status), `${Math.floor(status / 100)}XX`, ...byDefault];
  return wanted
    .map((name) => responses.find((response) => response.status.toUpperCase() === name.toUpperCase()))
    .find((response) => response !== undefined);
}

/** The body that is sent: JSON if it is accepted, else a form, a text or bytes. */
export function sentContent({ requestBody }: Operation): MediaType | undefined {
  const contents = requestBody?.content ?? [];
  return (
    contents.find(({ mediaType }) => isJson(mediaType)) ??
    contentFor(contents, 'application/json') ??
    contents.find(({ mediaType }) => /^application\/x-www-form-urlencoded\b/i.test(mediaType)) ??
    contents.find(({ mediaType }) => /^multipart\/form-data\b/i.test(mediaType)) ??
    contents.find(({ mediaType }) => /^multipart\//i.test(mediaType)) ??
    contents.find(({ mediaType }) => /^text\/(?:plain|\*)|^application\/octet-stream\b/i.test(mediaType)) ??
    contents.find(({ mediaType }) => /^text\//i.test(mediaType))
  );
}

/** Whether a policy of the sheet states an answer with this status for an operation. */
export function statesStatus({ policies }: Pick<Operation, 'policies'>, status: number): boolean {
  const states = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, inner]) => (name === 'status' ? inner === status : states(inner)));
  return states(policies);
}

/** Whether the sheet leaves the status of a policy's decision open, in one case or in any. */
export function isStatusOpen({ sheet }: Contract, policy: string, name?: string): boolean {
  return (sheet?.unspecified ?? []).some(
    (point) =>
      point.policy === policy &&
      Object.hasOwn(point.canBe ?? {}, 'status') &&
      (name === undefined || [point.case ?? []].flat().includes(name)),
  );
}

/**
 * Whether a successful answer arrives in pieces.
 *
 * @param api without it, a list of parts that is described elsewhere is not recognised
 */
export function streams({ responses }: Operation, api?: OwnApi): boolean {
  const isInPieces = (content: MediaType): boolean =>
    framingOf(content.mediaType) === 'parts'
      ? isList(content.schema) || api?.bodies.piecesOf(content) !== undefined
      : pieceReader(content.mediaType) !== undefined;
  return responses.some(({ status, content }) => /^2/.test(status) && content.some(isInPieces));
}

function isList(schema: Schema | undefined): boolean {
  return typeof schema === 'object' && schema['type'] === 'array';
}

/** Whether the document describes the pieces of a successful answer. */
export function describesPieces(api: OwnApi, { responses }: Operation): boolean {
  return responses.some(
    ({ status, content }) =>
      /^2/.test(status) && content.some((one) => (api.bodies.piecesOf(one)?.kinds.length ?? 0) > 0),
  );
}

/** A value that can be in a path or a query without encoding. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export type Values = Readonly<Record<string, Json>>;

/** A path with its fixed text escaped. */
export function asSent(path: string): string {
  return path
    .split(/(\{[^{}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[^!-~]+|["<>\\^`{|}]+/gu, encodeURI)))
    .join('');
}

/** Whether an answer shows that a call was accepted: a success, or a redirection that the document declares. */
export function wasAccepted(operation: Operation, { status }: Pick<Exchange, 'status'>): boolean {
  if (status < 300 || status >= 400) return status >= 200 && status < 300;
  return status === 304 || responseFor(operation, status)?.status.startsWith('3') === true;
}

// --- internal ---

type Usable = 'valid' | 'apiKey' | 'jwt';

/** The fixture for a credential that opens an operation alone. */
function usualKind({ security }: Operation): Usable {
  const alone = security.flatMap(({ schemes }) => (schemes.length === 1 ? schemes : []));
  const isKey = alone.some((scheme) => scheme.type === 'apiKey' && placeOfScheme(scheme) !== undefined);
  const isToken = alone.some(
    ({ type, scheme }) => type !== 'apiKey' && (scheme ?? 'bearer').toLowerCase() === 'bearer',
  );
  return isKey ? 'apiKey' : isToken ? 'jwt' : 'valid';
}

function byAddress(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const found = new Map<string, Operation[]>();
  for (const operation of operations) {
    const address = addressOf(operation);
    found.set(address, [...(found.get(address) ?? []), operation]);
  }
  return found;
}

function addressOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/#.*/, '')}`;
}

function alike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function named({ schemas }: Contract): ReadonlyMap<string, Schema> {
  return new Map(schemas.map(({ name, schema }) => [name, schema]));
}
