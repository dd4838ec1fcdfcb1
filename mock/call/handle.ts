import type { Operation } from '../../contract/model.ts';
import type { SecrecyFacts } from '../../contract/secrecy/index.ts';
import type { Assembly } from '../assembly.ts';
import { hiddenTrail, maskerOf } from '../journal/exchange-masker.ts';
import { callerOf, type Journal, type TrailStep } from '../journal/journal.ts';
import type { Clock } from '../state/clock.ts';
import type { Ids } from '../state/ids.ts';
import { type Answer, toReply, withHeaders } from './answer.ts';
import { BegunCall } from './begun-call.ts';
import type { CallNotes } from './call.ts';
import type { Cors } from './cors.ts';
import type { EngineFinding, Match } from './engine.ts';
import { isBytes, type Handle, type RawRequest } from './exchange.ts';
import { readRequest, type FrontRequest } from './front.ts';
import type { PendingCalls } from './open-calls.ts';
import { inPieces } from './pieces.ts';
import { answerCall, judgeRequest, type ApiWithEngine } from './pipeline.ts';
import { route } from './routing.ts';
import { methodsServed } from './unmatched.ts';

/** What a mock needs to answer requests. */
export interface HandleParts {
  /** What is served; a promise until it is loaded. */
  readonly assembly: () => Assembly | Promise<Assembly>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly journal: Journal;
  readonly openCalls: PendingCalls;
  /** Called at the end of each call. */
  readonly ended: () => void;
}

/** Answers one request after the other, and writes each into the journal. */
export function handleOf(parts: HandleParts): Handle {
  const { clock, journal } = parts;
  return async (raw) => {
    const assembly = parts.assembly();
    const { apis, cors, maximumBody, secrecy } = assembly instanceof Promise ? await assembly : assembly;
    const at = clock.now();
    const { api, match, request } = route(apis, readRequest(raw, maximumBody));
    const operation = match.kind === 'operation' ? api.operations.get(match.operationId) : undefined;
    const judged = judgeRequest(api, operation, request);
    const requestFindings = judged instanceof Promise ? await judged : judged;
    const trail: TrailStep[] = [];
    const { call, open } = beginCall(parts, {
      ...{ raw, api, match, request, operation, at, trail, secrecy },
      findings: requestFindings,
    });
    const { answer, findings } = await answerOrPreflight(cors, api, call);
    const refusedOrigin = cors.refusal(request);
    if (refusedOrigin !== undefined) call.note('origin', refusedOrigin, 'A-37');
    const opened = cors.open(request, answer);
    const reply = toReply(opened, { withoutBody: request.method === 'HEAD' });
    const tellJournal = journal.write({
      id: call.id,
      at,
      answeredAt: clock.now(),
      api: api.contract.name,
      operation: operation?.id,
      request,
      answer: opened,
      facts: call.facts,
      trail,
      requestFindings,
      responseFindings: findings,
      secrecy,
      size: raw.body.length + (isBytes(reply.body) ? reply.body.length : 0),
    });
    open.answered(journal.latest, answer.cut === true ? 0 : reply.status, !isBytes(reply.body));
    let settled = false;
    const pieces = inPieces(reply, { clock, signal: call.signal, waitMs: call.facts.pieceMs });
    return {
      reply: api.pace?.(pieces) ?? pieces,
      settle: (delivery) => {
        if (settled) return;
        settled = true;
        try {
          call.settle(delivery);
          tellJournal(delivery);
        } finally {
          open.ended();
        }
        parts.ended();
      },
    };
  };
}

// --- internal ---

interface Begun {
  readonly raw: RawRequest;
  readonly api: ApiWithEngine;
  readonly match: Match;
  readonly request: FrontRequest;
  readonly operation: Operation | undefined;
  /** Of the document about the request, with warnings. */
  readonly findings: readonly EngineFinding[];
  readonly at: number;
  readonly trail: TrailStep[];
  readonly secrecy: SecrecyFacts;
}

function beginCall(
  { ids, openCalls }: HandleParts,
  { raw, api, match, request, operation, findings, at, trail, secrecy }: Begun,
): { readonly call: BegunCall; readonly open: ReturnType<PendingCalls['begin']> } {
  const facts: CallNotes = {};
  const exchange = { request, secrecy };
  const open = openCalls.begin(
    () => raw.signal,
    () => ({
      id: call.id,
      at,
      api: api.contract.name,
      operation: operation?.id,
      method: request.method,
      target: maskerOf(exchange)(raw.target),
      caller: callerOf(facts),
      key: facts.idempotencyKey,
      model: facts.modelId,
      scenario: facts.scenario,
      trail: hiddenTrail(trail, maskerOf(exchange)),
    }),
  );
  const call = new BegunCall(
    {
      id: ids.uuid('call'),
      request,
      match,
      operation,
      findings: findings.filter(({ severity }) => severity === undefined),
      violations: findings,
      startedAt: at,
      facts,
    },
    trail,
    open.signal,
  );
  return { call, open };
}

/** A declared OPTIONS operation is served, unless the request is a browser's preflight. */
function answerOrPreflight(
  cors: Cors,
  api: ApiWithEngine,
  call: BegunCall,
): ReturnType<typeof answerCall> | { readonly answer: Answer; readonly findings: [] } {
  const { request, match, operation } = call;
  const isDeclared =
    operation?.method === 'options' && request.header('access-control-request-method') === undefined;
  const preflight = isDeclared ? undefined : cors.preflight(request, () => allowedAt(api, request, match));
  return preflight === undefined
    ? answerCall(api, call)
    : { answer: withHeaders(preflight, api.stamps(call)), findings: [] };
}

function allowedAt(api: ApiWithEngine, request: FrontRequest, match: Match): readonly string[] {
  if (match.kind === 'none') return api.beside?.(request.path)?.methods ?? [];
  const methods = match.kind === 'other-method' ? match : api.engine.match('*', request.path);
  if (methods.kind === 'other-method') return methodsServed(methods.allow);
  const operation = match.kind === 'operation' ? api.operations.get(match.operationId) : undefined;
  return operation === undefined ? [] : [operation.method.toUpperCase()];
}
