import { isBodiless, isJson } from '../../contract/judge/body-format.ts';
import { framingOf } from '../../contract/sequential/framing.ts';
import type { Operation } from '../../contract/model.ts';
import { servedSecurity } from '../../contract/served/served.ts';
import { callerLine } from '../../engine/caching.ts';
import { bodyText, cutAnswer, headerOf, withHeaders, withText, type Answer } from './answer.ts';
import { readAnswerChoice } from '../samples/answer-choice.ts';
import type { MockedApi } from '../api.ts';
import { challengesOf } from './challenges.ts';
import { isCredentialRefused } from './refused-credential.ts';
import { runBehaviours, type Behaviour, type Call } from './call.ts';
import { deviate, type Deviation } from '../deviations/deviation.ts';
import type {
  AnswerChoice,
  ContractEngine,
  Example,
  EngineFinding,
  JudgedRequest,
  JudgedResponse,
} from './engine.ts';
import type { SentReply } from './exchange.ts';
import type { FormReader } from './form-reader.ts';
import type { FrontRequest } from './front.ts';
import { violationsHeader } from './violations.ts';
import { lifelikeHeaders } from '../samples/header-samples.ts';
import { isXml, xmlOf } from '../samples/xml.ts';

/** One API with the engine that reads its document. */
export interface ApiWithEngine extends MockedApi {
  readonly engine: ContractEngine;
  /** Parses the forms of a user's own document. */
  readonly readForm?: FormReader;
  /** The paths of its servers, which requests may have as a prefix. */
  readonly basePaths?: readonly string[];
  readonly deviations: readonly Deviation[];
  readonly operations: ReadonlyMap<string, Operation>;
  /** Changes every answer without breaking a rule, for an odd profile. */
  readonly oddity?: (answer: Answer, call: Call) => Answer;
  /** Changes only how the bytes of an answer arrive. */
  readonly pace?: (reply: SentReply) => SentReply;
}

/**
 * The document's findings about a request; about a body only if the operation has one. Forms are parsed only
 * on demand.
 */
export function judgeRequest(
  api: ApiWithEngine,
  operation: Operation | undefined,
  request: FrontRequest,
): readonly EngineFinding[] | Promise<readonly EngineFinding[]> {
  if (operation === undefined) return [];
  const form = api.readForm?.(operation.id, request);
  return form === undefined
    ? findingsOf(api, operation, request)
    : form.then((read) => findingsOf(api, operation, request, read));
}

/** Answers a call: behaviours, then headers, then deviations, then Prism's verdict. Never throws. */
export async function answerCall(
  api: ApiWithEngine,
  call: Call,
): Promise<{ answer: Answer; findings: readonly EngineFinding[] }> {
  const decided = await decide(api, call);
  if (decided.cut === true) return { answer: decided, findings: [] };
  const stamped = stampedAnswer(api, call, decided);
  const odd = api.oddity?.(stamped, call) ?? stamped;
  const answer = withText(api.deviations.length === 0 ? odd : await deviateSafely(api, call, odd));
  const findings = judgeAnswer(api, call, answer);
  if (api.answers !== undefined) return toldAnswer(api, call, { answer, findings });
  const unlicensed = findings.find(({ at }) => at === 'status');
  if (unlicensed === undefined) return { answer, findings };
  // The mock sends an undeclared status only together with its basis: a rule or an open point.
  const failure = api.failure(call, 'The mock made an answer that the contract does not allow.');
  return { answer: stampedAnswer(api, call, failure), findings };
}

/**
 * An answer of a user's own document as it is sent. A header, which clients of Prism read, reports the
 * violations of the document in the request and the answer.
 */
function toldAnswer(
  api: ApiWithEngine,
  call: Call,
  judged: { readonly answer: Answer; readonly findings: readonly EngineFinding[] },
): { answer: Answer; findings: readonly EngineFinding[] } {
  const { findings } = judged;
  const wrong = findings.filter(({ severity }) => severity === undefined);
  const unlicensed = wrong.find(({ at }) => at === 'status');
  const detail =
    unlicensed !== undefined
      ? 'The mock made an answer that the contract does not allow.'
      : wrong.length > 0 && api.answers?.strict === true
        ? `The document does not allow this answer: ${wrong[0]?.message ?? ''}`
        : undefined;
  const answer =
    detail === undefined ? judged.answer : stampedAnswer(api, call, api.failure(call, detail, wrong));
  const violations = violationsHeader(call.violations ?? [], findings);
  return { answer: violations === undefined ? answer : withHeaders(answer, [violations]), findings };
}

/** Operations without a behaviour, including those of a user's own document, are answered with an example. */
export function example(
  api: Pick<ApiWithEngine, 'engine' | 'operations' | 'failure' | 'answers'>,
): Behaviour {
  return (call) => {
    const { operation, request } = call;
    if (operation === undefined) return api.failure(call, 'No behaviour answered.');
    const { refusal, defaults } = api.answers ?? {};
    const refused = refusal === undefined ? [] : call.findings;
    const [first] = refused;
    const choice = api.answers === undefined ? {} : readAnswerChoice(request, defaults);
    if (typeof choice === 'string')
      return (
        refusal?.(call, { at: 'header.prefer', keyword: 'prefer', message: choice }) ??
        api.failure(call, choice)
      );
    const { work } = call.facts;
    const wanted = work?.kind === 'status' ? { ...choice, code: work.status } : choice;
    const made = exampleFor(api, call, operation, { ...wanted, refused });
    if (first !== undefined) call.note('request checks', `${first.at}: ${first.message}`);
    // A missing example that was requested by name is reported before the faults of the request, as in Prism.
    const isAbsent = made.status === 404 && wanted.example !== undefined;
    const own =
      first === undefined || made.isRefusal !== true || isAbsent ? undefined : refusal?.(call, first);
    if (own !== undefined) return own;
    if (made.status === 101) {
      call.note('answer', 'the mock does not switch protocols');
      return {
        status: 426,
        headers: [
          ['Upgrade', 'websocket'],
          ['Content-Type', 'application/problem+json'],
        ],
        body: {
          kind: 'json',
          value: { title: 'Upgrade Required', status: 426, detail: 'The mock does not switch protocols.' },
        },
        licence: 'not the document: its mock',
      };
    }
    if (made.isRefusal === true) {
      call.note('answer', `no example: ${String(made.status)}`);
      return {
        status: made.status,
        headers: made.headers,
        body: bodyOf(made),
        licence: 'not the document: its mock',
      };
    }
    call.note('answer', made.generated ? 'made from the schema' : 'an example of the document');
    const answer: Answer = { status: made.status, headers: made.headers, body: bodyOf(made) };
    const challenge = made.status === 401 && api.answers !== undefined ? challengesOf(operation) : [];
    const isChallenged = made.headers.some(([name]) => name.toLowerCase() === 'www-authenticate');
    return withHeaders(answer, [
      ['Tallystick-Answer', made.generated ? 'generated' : 'example'],
      ...(isChallenged ? [] : challenge),
    ]);
  };
}

/**
 * The document's answer for a status, from its example or its schema; `undefined` if the operation does not
 * declare exactly this status.
 */
export function declaredAnswer(
  api: Pick<ApiWithEngine, 'engine' | 'operations'>,
  call: Call,
  operation: Operation,
  code: number,
): Answer | undefined {
  if (!operation.responses.some(({ status }) => status === String(code))) return undefined;
  const made = exampleFor(api, call, operation, { code });
  return made.isRefusal === true
    ? undefined
    : { status: made.status, headers: made.headers, body: bodyOf(made) };
}

// --- internal ---

/** Asks proxies such as nginx to pass events on as they come. */
const UNBUFFERED = ['X-Accel-Buffering', 'no'] as const;

/** The answer with the header lines of every answer, and with one that keeps it from other callers. */
function stampedAnswer(api: MockedApi, call: Call, made: Answer): Answer {
  const lines = api.stamps(call);
  const isLive = framingOf(headerOf(made, 'Content-Type') ?? '') === 'events';
  const answer = withHeaders(made, isLive ? [...lines, UNBUFFERED] : lines);
  const operation = call.operation ?? api.contract.operations[0];
  const security = operation && servedSecurity(operation);
  const line = callerLine(security, (name) => headerOf(answer, name));
  return line === undefined ? answer : withHeaders(answer, [line]);
}

function findingsOf(
  api: ApiWithEngine,
  operation: Operation,
  request: FrontRequest,
  form?: NonNullable<JudgedRequest['form']>,
): readonly EngineFinding[] {
  const found = api.engine.checkRequest(operation.id, {
    method: operation.method,
    path: request.path,
    query: request.query,
    search: request.search,
    headers: request.headers,
    ...(operation.requestBody === undefined ? { body: undefined } : judgedBody(request)),
    ...(form === undefined ? {} : { form }),
  });
  if (api.answers !== undefined && isCredentialRefused(operation, request))
    return [{ at: 'security', keyword: 'security', message: 'the mock refuses this credential' }, ...found];
  const body = api.answers === undefined || operation.requestBody === undefined ? undefined : request.body();
  if (body?.kind !== 'malformed' || !isJson(request.header('content-type') ?? ''))
    return isBodiless(operation.method) ? found.filter(isNotMissingBody) : found;
  // A body that cannot be read differs from a missing one.
  const others = found.filter(isNotMissingBody);
  return [...others, { at: 'body', keyword: 'syntax', message: `the body is not JSON: ${body.why}` }];
}

function isNotMissingBody({ at, keyword }: EngineFinding): boolean {
  return at !== 'body' || keyword !== 'required';
}

function exampleFor(
  { engine, operations }: Pick<ApiWithEngine, 'engine' | 'operations'>,
  { request, startedAt }: Call,
  operation: Operation,
  choice: AnswerChoice,
): Example {
  const asked = {
    method: operation.method,
    path: request.path,
    query: request.query,
    headers: request.headers,
    ...judgedBody(request),
  };
  const made = engine.example(operation.id, asked, choice);
  const { status, body, openHeaders = [] } = made;
  if (openHeaders.length === 0) return made;
  const source = { request, operation, operations: [...operations.values()], status, body, now: startedAt };
  return { ...made, headers: lifelikeHeaders(made.headers, openHeaders, source) };
}

async function decide(api: ApiWithEngine, call: Call): Promise<Answer> {
  try {
    return await runBehaviours(api.behaviours, call);
  } catch (error) {
    if (call.signal.aborted) {
      call.note('answer', 'the caller went away');
      return cutAnswer();
    }
    call.note('answer', `the mock failed: ${error instanceof Error ? error.message : String(error)}`);
    return api.failure(call, 'The mock failed. The journal says why.');
  }
}

function bodyOf({ headers, body: value }: Example): Answer['body'] {
  if (value === undefined) return { kind: 'none' };
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (typeof value === 'string' && !isJson(type)) return { kind: 'bytes', bytes: Buffer.from(value) };
  if (isXml(type)) return { kind: 'bytes', bytes: Buffer.from(xmlOf(value)) };
  return { kind: 'json', value };
}

async function deviateSafely(api: ApiWithEngine, call: Call, answer: Answer): Promise<Answer> {
  try {
    return await deviate(api.deviations, answer, call);
  } catch (error) {
    call.note('deviation', `failed: ${error instanceof Error ? error.message : String(error)}`);
    return api.failure(call, 'A deviation failed. The journal says why.');
  }
}

function judgeAnswer(api: ApiWithEngine, call: Call, answer: Answer): readonly EngineFinding[] {
  if (call.operation === undefined) {
    return answer.licence === undefined ? [undeclared(answer)] : [];
  }
  const findings = api.engine.checkResponse(call.operation.id, {
    status: answer.status,
    headers: answer.headers,
    ...judgedAnswerBody(answer.body),
  });
  // A licensed status has no schema to be validated by.
  return answer.licence === undefined ? findings : findings.filter(({ at }) => at !== 'status');
}

type JudgedBody = Pick<JudgedResponse, 'body' | 'bodyText'>;

/** Only the head of a stream is validated, because its frames are yet to come. */
function judgedAnswerBody(body: Answer['body']): JudgedBody {
  switch (body.kind) {
    case 'json':
      return { body: body.value, bodyText: bodyText(body) };
    case 'bytes':
      return { body: new TextDecoder().decode(body.bytes) };
    case 'stream':
      return { body: '' };
    case 'none':
      return { body: undefined };
  }
}

function undeclared(answer: Answer): EngineFinding {
  return { at: 'status', keyword: 'undeclared', message: `${String(answer.status)} is declared nowhere` };
}

/**
 * Prism expects the text of a body that is not declared as JSON, such as CSV, even if it could be parsed as
 * JSON.
 */
function judgedBody(request: FrontRequest): JudgedBody {
  const body = request.body();
  const type = request.header('content-type');
  const isText = type !== undefined && !type.toLowerCase().includes('json');
  if (isText && (body.kind === 'json' || body.kind === 'malformed'))
    return { body: new TextDecoder().decode(request.raw.body) };
  return body.kind === 'json' ? { body: body.value, bodyText: body.text } : { body: undefined };
}
