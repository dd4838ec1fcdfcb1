/**
 * The contract engine on Prism: only this folder imports prism-http and fp-ts. `operations.ts` reads
 * documents, `examples.ts` makes answers, and `memory.ts` releases what Prism keeps of documents. Prism routes and validates every request and
 * every response. Its own answers are not used, except for examples of operations without a behaviour. Deep
 * imports, because its index offers no single steps and loads its generator of fake data.
 */
import { createRequire } from 'node:module';
import type { IHttpOperation } from '@stoplight/types';
import type validator from '@stoplight/prism-http/dist/validator/index.js';
import type responses from '@stoplight/prism-http/dist/validator/utils/spec.js';
import type parts from '@stoplight/prism-http/dist/validator/validators/index.js';
import type contexts from '@stoplight/prism-http/dist/validator/validators/types.js';
import type { Contract } from '../../contract/model.ts';
import type { ContractEngine, Example, EngineFinding } from '../call/engine.ts';
import { exampleOf, isOfTransport } from './examples.ts';
import { findingOf, judge, leftOf, responseFinding, securityFinding } from './findings.ts';
import { matcherOf } from './matching.ts';
import { prismRequest, prismResponse } from './messages.ts';
import { type DeclaredOperation, operationsOf } from './operations.ts';
import { loadValidator } from './late-modules.ts';
import { patchPrism } from './patches.ts';
import { boundPatterns, withinBounds } from './patterns.ts';
import { plainAnswers, plainRequests, type PlainAnswers, type PlainRequests } from './plain-verdicts.ts';
import { Remembered } from '../call/remembered.ts';

// Prism is CommonJS: with `require`, its modules look the same under every loader. Loaded when the first
// document is read.
const require = createRequire(import.meta.url);

interface Prism {
  readonly validator: typeof validator;
  readonly responses: typeof responses;
  readonly parts: typeof parts;
  readonly contexts: typeof contexts;
}

/**
 * Reads the document of a contract into Prism. The first call takes a while, because it loads Prism.
 *
 * @param options.judge with `prism`, Prism validates everything as a whole: for comparisons with the faster
 * validation
 */
export function prismEngine(
  contract: Contract,
  { judge: wanted }: { readonly judge?: 'prism' } = {},
): ContractEngine {
  const validator = loadValidator() as Prism['validator'];
  const { findOperationResponse } =
    require('@stoplight/prism-http/dist/validator/utils/spec.js') as Prism['responses'];
  const parts = require('@stoplight/prism-http/dist/validator/validators/index.js') as Prism['parts'];
  const { ValidationContext } =
    require('@stoplight/prism-http/dist/validator/validators/types.js') as Prism['contexts'];
  patchPrism();
  boundPatterns(contract);
  const resources = operationsOf(contract.document.root);
  const byPlace = new Map(resources.map((each) => [`${each.method} ${each.declaredPath}`, each]));
  const operations = new Map<string, DeclaredOperation>();
  for (const { id, method, path } of contract.operations) {
    const resource = byPlace.get(`${method.toLowerCase()} ${path}`);
    if (resource !== undefined) operations.set(id, resource);
  }
  const cleanBodies = new Remembered<string>(MOST_VERDICTS);
  const unlessClean = wanted === 'prism' ? asked : cleanOrAsked;

  const known = new Map<string, Judged>();
  const operation = (id: string): Judged => {
    const resource = operations.get(id);
    if (resource === undefined) throw new Error(`${contract.name} has no operation ${id}`);
    const found = known.get(id) ?? judged(resource.read());
    known.set(id, found);
    return found;
  };

  return {
    match: matcherOf(contract, operations),

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
      return exampleOf(contract.document.root, operation(operationId).resource, request, choice);
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
