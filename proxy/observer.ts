import { randomUUID } from 'node:crypto';
import {
  TrafficJudge,
  type PassedExchange,
  type TrafficBreach,
  type TrafficStep,
} from '../conformance/traffic/index.ts';
import type { Contract, Operation } from '../contract/index.ts';
import type { Report } from '../conformance/index.ts';
import { framingOf } from '../contract/sequential/framing.ts';
import { masker, maskedHeaders, secretsIn, type Mask } from '../contract/secrecy/index.ts';
import type { Assembly } from '../mock/assembly.ts';
import type { Answer } from '../mock/call/answer.ts';
import type { EngineFinding, Match } from '../mock/call/engine.ts';
import { readRequest, type FrontRequest } from '../mock/call/front.ts';
import { judgeRequest, type ApiWithEngine } from '../mock/call/pipeline.ts';
import { route } from '../mock/call/routing.ts';
import { Journal, type JournalEntry, type TrailStep } from '../mock/journal/journal.ts';
import { valueOfText } from '../mock/state/durable-state.ts';
import { belowBasePath } from './base-path.ts';
import { Callers } from './callers.ts';
import { pairsOf } from './end-to-end-headers.ts';
import { freeLarge } from './garbage.ts';
import type { NumberedExchange } from './open-exchanges.ts';

/** An exchange that passed, with its faults. */
export interface JudgedExchange {
  readonly entry: JournalEntry;
  /** Rules that it broke, alone or together with earlier ones. */
  readonly breaches: readonly TrafficBreach[];
}

export interface ObserverOptions {
  readonly contracts: readonly Contract[];
  /** The server. */
  readonly target: URL;
  readonly toolVersion?: string | undefined;
  /** Epoch milliseconds, to which the times of reports are relative; default: now. */
  readonly startedAt?: number;
  /** Entries of the journal; default 1,000. */
  readonly journalSize?: number | undefined;
  readonly onExchange?: ((judged: JudgedExchange) => void) | undefined;
}

/** The part of a target of a request that is below the base path of the server. */
export function belowTarget({ apis, maximumBody }: Assembly, server: URL, target: string): string {
  return belowBasePath(target, server.pathname.replace(/\/$/, ''), (path) => {
    const raw = { method: 'GET', target: path, rawHeaders: [], body: new Uint8Array() };
    return route(apis, readRequest(raw, maximumBody)).match.kind !== 'none';
  });
}

/** Records and judges the traffic, by copies of it. */
export class Observer {
  readonly journal: Journal;
  readonly #assembly: Assembly;
  readonly #options: ObserverOptions;
  readonly #judge: TrafficJudge;
  readonly #callers: Callers;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(assembly: Assembly, options: ObserverOptions) {
    const { contracts, target, toolVersion, startedAt, journalSize = 1_000 } = options;
    this.#assembly = assembly;
    this.#options = options;
    this.#callers = new Callers(contracts);
    this.journal = new Journal({ capacity: journalSize, mostBytes: MOST_SHOWN });
    this.#judge = new TrafficJudge({
      ...{ contracts, baseUrl: target.href },
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(toolVersion === undefined ? {} : { toolVersion }),
    });
  }

  /** The part of a target below the base path of the server. */
  readonly below = (target: string): string => belowTarget(this.#assembly, this.#options.target, target);

  /** Judges an exchange, one after the other. Returns the rules that it broke. */
  see(passed: NumberedExchange): Promise<readonly TrafficBreach[]> {
    const seen = this.#queue
      .then(() => this.#see(passed))
      .catch((error: unknown) => {
        this.#judge.giveUp(passed.number, error);
        return [];
      });
    this.#queue = seen;
    return seen;
  }

  /** Concludes nothing from what passed before: some exchanges are left out. */
  forget(): void {
    this.#judge.forget();
  }

  /** What was concluded since the last call. */
  take(): TrafficStep {
    return this.#judge.take();
  }

  /** The report of all that passed and was not taken. */
  async report(): Promise<Report> {
    await this.#queue;
    return this.#judge.report();
  }

  async #see(passed: NumberedExchange): Promise<readonly TrafficBreach[]> {
    const { apis, maximumBody, secrecy } = this.#assembly;
    const { method, target, requestHeaders, requestBody, responseHeaders, responseBody, status } = passed;
    const raw = { method, target: this.below(target), rawHeaders: requestHeaders, body: requestBody.body };
    const { api, match, request } = route(apis, readRequest(raw, maximumBody));
    const operation = match.kind === 'operation' ? api.operations.get(match.operationId) : undefined;
    const requestFindings =
      requestBody.truncated === undefined ? await judgeRequest(api, operation, request) : [];
    const response = pairsOf(responseHeaders);
    const headers = pairsOf(requestHeaders);
    const caller = this.#callers.of(headers);
    const carried = [
      { target, headers, body: beginningOf(requestBody.body) },
      { headers: response, body: beginningOf(responseBody.body) },
    ].flatMap((message) => secretsIn(message, secrecy));
    for (const secret of carried) this.#judge.hide(secret);
    const seen: PassedExchange = {
      ...{
        number: passed.number,
        during: passed.during,
        startedAt: passed.startedAt,
        endedAt: passed.endedAt,
        caller,
        method,
        target,
      },
      api: isKnown(api, match, request) ? api.contract.name : '',
      // The answer to HEAD has only headers, unless the document declares another one.
      operation: isHeadOfGet(method, operation) ? undefined : operation?.id,
      isInvalid: requestFindings.some(({ severity }) => severity === undefined),
      request: { headers: maskedHeaders(headers, masker(NO_MASKS, secrecy)), ...requestBody },
      ...{ status, informational: passed.informational, delivery: passed.delivery },
      response: { headers: response, ...responseBody },
      ...{ failure: passed.failure, fault: passed.fault, isUnsent: passed.isUnsent },
    };
    const breaches = await this.#judge.see(seen);
    const size = requestBody.body.length + responseBody.body.length;
    freeLarge(size);
    const shown = { sent: shownPart(requestBody.body), got: shownPart(responseBody.body) };
    const answer: Answer = {
      ...{ status, headers: response },
      body: { kind: 'bytes', bytes: shown.got },
      ...(status === 0 ? { cut: true } : {}),
    };
    const isWhole = passed.failure === undefined && responseBody.truncated === undefined;
    const responseFindings =
      operation === undefined || !isWhole || isHeadOfGet(method, operation)
        ? []
        : judgeAnswer(api, operation.id, seen.response, status);
    const facts = {
      ...(caller === undefined
        ? {}
        : { caller: { scope: caller, namespace: '', scenario: '', kind: 'api-key' as const } }),
      ...keyOf(request),
    };
    const told = this.journal.write({
      ...{ id: idIn(response) ?? randomUUID(), at: passed.startedAt, answeredAt: passed.endedAt },
      ...{ api: api.contract.name, operation: operation?.id, answer, facts, requestFindings },
      request: shown.sent === raw.body ? request : readRequest({ ...raw, body: shown.sent }, maximumBody),
      ...{ trail: trailOf(passed, breaches), responseFindings, secrecy, secrets: carried },
      size: shown.sent.length + shown.got.length,
    });
    told(passed.delivery);
    freeLarge(size);
    this.#tell(breaches);
    return breaches;
  }

  /** Makes the entry of the latest exchange, which takes as long as judging it, only if there is a reader. */
  #tell(breaches: readonly TrafficBreach[]): void {
    const { onExchange } = this.#options;
    if (onExchange === undefined) return;
    const entry = this.journal.entry(this.journal.latest);
    if (entry !== undefined) onExchange({ entry, breaches });
  }
}

// --- internal ---

/** One list, so that what was masked once is not masked again. */
const NO_MASKS: readonly Mask[] = [];

/** Of the bodies that the inspector can show, in bytes. */
const MOST_SHOWN = 8 * 2 ** 20;

function isKnown(api: ApiWithEngine, match: Match, { path }: FrontRequest): boolean {
  return match.kind !== 'none' || api.beside?.(path) !== undefined;
}

function isHeadOfGet(method: string, operation: Operation | undefined): boolean {
  return method === 'HEAD' && operation !== undefined && operation.method.toUpperCase() !== 'HEAD';
}

/** Violations of the document in an answer. Rules find other faults. */
function judgeAnswer(
  { engine }: ApiWithEngine,
  operation: string,
  { headers, body }: PassedExchange['response'],
  status: number,
): readonly EngineFinding[] {
  const said = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
  const type = said('content-type');
  // Rules judge the pieces of a stream; they also decompress bodies.
  if (framingOf(type) !== undefined || said('content-encoding') !== '') return [];
  const text = new TextDecoder().decode(body);
  const value = /[/+]json\b/.test(type) ? valueOfText(text) : text;
  return engine.checkResponse(operation, {
    status,
    headers,
    body: text === '' ? undefined : value,
    ...(text === '' ? {} : { bodyText: text }),
  });
}

function keyOf({ header }: FrontRequest): { readonly idempotencyKey?: string } {
  const key = header('idempotency-key');
  return key === undefined || key === '' ? {} : { idempotencyKey: key };
}

function idIn(headers: readonly (readonly [string, string])[]): string | undefined {
  return headers.find(([name]) => /request-id$/i.test(name))?.[1].slice(0, 200);
}

/** As much of a body as the inspector needs: a longer one is not kept for it. */
function shownPart(body: Uint8Array): Uint8Array {
  return body.length > LONGEST_SHOWN ? body.slice(0, LONGEST_SHOWN) : body;
}

/** In bytes; more than the journal shows. */
const LONGEST_SHOWN = 2 ** 16;

/** As much as is searched for secrets that other parts may repeat. */
function beginningOf(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, 2 ** 20));
}

function trailOf({ failure }: NumberedExchange, breaches: readonly TrafficBreach[]): readonly TrailStep[] {
  return [
    ...(failure === undefined ? [] : [{ step: 'connection', decision: failure }]),
    ...breaches.map(({ rule, expected, observed }) => ({
      step: 'rule',
      decision: `expected ${expected}; got ${observed}`,
      because: rule,
    })),
  ];
}
