import { contentFor } from '../../../contract/judge/bodies.ts';
import { essenceOf, isJson } from '../../../contract/judge/body-format.ts';
import type { Operation, Response, ResponseHeader } from '../../../contract/model.ts';
import { severities } from '../../../contract/sheet/severities.ts';
import { wireType } from '../../../contract/schemas/wire-type.ts';
import { check, undecided, unlessUnreadable } from '../../scenarios/check.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Oracle } from '../../oracle.ts';
import type { Check, Identity } from '../../scenarios/scenario.ts';
import { sourceOf } from '../../target/credentials.ts';
import { isRefusedOn } from '../../target/occasions.ts';
import type { OwnApi } from '../own-api.ts';
import { isSecured, isStatusOpen, responseFor, statesStatus, wasAccepted } from '../own-api.ts';
import { pieceFault } from './pieces.ts';
import { documentRule } from './rules.ts';
import { breachOf } from './server-errors.ts';
import { misfitInGeneral, misfitsAsText } from './told-misfits.ts';
import { isServerError } from '../../exchanges/foreign.ts';

/** Judges every answer of an API by the document's declaration of the operation. */
export function answerOracle(api: OwnApi): Oracle {
  const rules = (operation: Operation): readonly string[] => [
    documentRule(operation, 'answer'),
    documentRule(operation, 'status'),
  ];
  return {
    api: api.name,
    judges: api.operations.flatMap(rules),
    *look(exchange) {
      const operation = api.operation(exchange.operation ?? '');
      if (operation === undefined || exchange.answer === undefined) return;
      yield* unlessUnreadable(exchange, rules(operation), judgeAddress(api, operation, exchange));
    },
  };
}

// --- internal ---

/** Additional answers to a request that the document does not allow, or to a caller without a credential. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 406, 409, 411, 413, 414, 415, 417, 422, 428, 431]);

/** Answers that are possible for a caller that does not request another protocol (RFC 9110, section 7.8). */
const NOT_SWITCHED = new Set([400, 426, 501]);

/** The answer of an operation can be that of another one at its address. */
function* judgeAddress(api: OwnApi, operation: Operation, exchange: Exchange): Generator<Check> {
  const others = api.atAddressOf(operation).filter((other) => other !== operation);
  const all = [operation, ...others.map((other) => ({ ...other, id: operation.id }))].map((each) => [
    ...judge(api, each, exchange),
  ]);
  yield* all.find((checks) => !checks.some(({ outcome }) => outcome === 'fail')) ?? all[0] ?? [];
}

function* judge(api: OwnApi, operation: Operation, exchange: Exchange): Generator<Check> {
  const { status } = exchange;
  const [answers, statuses] = [documentRule(operation, 'answer'), documentRule(operation, 'status')];
  const response = responseFor(operation, status);
  const declared = operation.responses.map((one) => one.status).join(', ') || 'none';
  if (response === undefined) {
    // Then every status is declared, without a description of this one.
    if (operation.responses.some((one) => one.status === 'default')) return;
    // Documents often omit the answer to calls with a wrong credential. The callers of the suite have one where it is wanted.
    const hasCredential = isSecured(operation) || sourceOf(exchange.request.as as Identity) !== undefined;
    if (hasCredential && (status === 401 || status === 403)) return;
    if (exchange.isInvalid === true && REFUSALS.has(status)) return;
    // What fixtures bring about need not be in the document.
    if (exchange.occasion !== undefined && isRefusedOn(exchange.occasion)) return;
    if (operation.responses.some((one) => one.status === '101') && NOT_SWITCHED.has(status)) return;
    if (statesStatus(operation, status) || isMissing(operation, status)) return;
    const isRefused = status >= 400 && status < 500;
    if (isRefused && operation.policies.some(({ kind }) => isStatusOpen(api.contract, kind))) return;
    // A limit of the rate is that of a server, or of a gateway before it.
    if (status === 429) return;
    // A server may want the length of a body before it is sent (RFC 9110, section 15.5.12).
    if (status === 411) return;
    if (exchange.isInvalid !== true && isServerError(status)) {
      const expected = `no server error for a valid request; declared: ${declared}`;
      yield check(answers, exchange, false, expected, undefined, `${status} for a valid request`);
      return;
    }
    const cause = undeclared(operation, exchange);
    const found = check(statuses, exchange, false, `a declared status: ${declared}`, undefined, cause);
    const { level } = severities[breachOf(exchange)];
    yield level === 'must' ? found : { ...found, isMild: true };
    return;
  }
  yield check(statuses, exchange, true, `a declared status: ${declared}`);
  let isRight = true;
  for (const { expected, got, cause, isOpen } of faultsOf(api, operation, response, exchange)) {
    isRight = false;
    yield isOpen === true
      ? undecided(answers, exchange, got)
      : check(answers, exchange, false, expected, got, cause);
  }
  // A refusal alone shows almost nothing about an operation.
  if (isRight && wasAccepted(operation, exchange))
    yield check(answers, exchange, true, `an answer as the document declares for ${status}`);
}

/** Whether this is the answer for a missing resource: 404, unless the sheet states another status. */
function isMissing({ policies }: Operation, status: number): boolean {
  return (
    status === 404 && policies.some((policy) => policy.kind === 'resource' && policy.missing === undefined)
  );
}

/** The cause of an undeclared status, such as `201 in place of 200`. */
function undeclared({ responses }: Operation, { status, isInvalid }: Exchange): string {
  if (status >= 500) return `${status} for ${isInvalid === true ? 'an invalid' : 'a valid'} request`;
  if (status >= 400) return `${status}, which is not declared`;
  const successes = responses.map((one) => one.status).filter((one) => /^[23]/.test(one));
  return `${status} in place of ${successes.join(' or ') || 'a declared status'}`;
}

interface Fault {
  readonly expected: string;
  readonly got: string;
  /** What it has in common with the same fault of another operation. */
  readonly cause: string;
  /** Set if nothing can be judged. */
  readonly isOpen?: true;
}

function* faultsOf(
  api: OwnApi,
  operation: Operation,
  response: Response,
  exchange: Exchange,
): Generator<Fault> {
  const { method } = operation;
  const { status } = exchange;
  for (const header of response.headers) yield* headerFaults(api, header, exchange);
  const hasBody = (exchange.answer?.body.length ?? 0) > 0;
  if (method === 'head' || status === 204 || status === 304) return;
  const type = exchange.header('content-type');
  if (response.content.length === 0) {
    // Documents often leave out the body of a refusal. A success is described as a whole.
    if (hasBody && status < 300)
      yield {
        expected: `no body with ${status}, because the document declares none`,
        got: `${status} with ${exchange.answer?.body.length ?? 0} bytes${type === undefined ? '' : ` of ${essenceOf(type)}`}`,
        cause: 'a body where none is declared',
      };
    return;
  }
  const types = response.content.map(({ mediaType }) => mediaType).join(', ');
  if (!hasBody) {
    const isNeeded = response.content.every(
      ({ mediaType, schema }) => isJson(mediaType) && schema !== undefined,
    );
    if (isNeeded)
      yield {
        expected: `a body of ${types} with ${status}`,
        got: `${status} without a body`,
        cause: `no body in place of ${types}`,
      };
    return;
  }
  const content = type === undefined ? undefined : contentFor(response.content, type);
  if (content === undefined || type === undefined) {
    yield {
      expected: `the media type ${types} with ${status}`,
      got: `${status} ${type ?? 'without Content-Type'}`,
      cause: `${type === undefined ? 'no Content-Type' : essenceOf(type)} in place of ${types}`,
    };
    return;
  }
  const pieces = api.bodies.piecesOf(content);
  if (pieces !== undefined) {
    const fault = pieceFault(exchange, type, pieces, api.bodies);
    if (fault !== undefined) yield fault;
    return;
  }
  const isText = /^text\/plain\b/i.test(type);
  if ((!isJson(type) && !isText) || content.schema === undefined) return;
  if (!isText && exchange.json === undefined) {
    yield {
      expected: `JSON, as ${type} says`,
      got: `${status} with a body that is not JSON`,
      cause: `a body that is not JSON, as ${essenceOf(type)}`,
    };
    return;
  }
  const body = isText ? new TextDecoder().decode(exchange.bytes) : exchange.json;
  // There are several ways to write a number or a boolean as plain text.
  if (isText && !wireType(content.schema, api.contract.document).kinds.every((kind) => kind === 'string'))
    return;
  const found = api.bodies.judge('response', content, body);
  if ('reason' in found)
    yield {
      expected: '',
      cause: '',
      got: `the schema at ${found.pointer} judges nothing: ${found.reason}`,
      isOpen: true,
    };
  else if (found.length > 0)
    yield {
      expected: `a body by the schema of ${status}`,
      got: misfitsAsText(found, 'the body'),
      cause: `a body by another schema: ${misfitInGeneral(found[0], 'the body')}`,
    };
}

function* headerFaults(api: OwnApi, header: ResponseHeader, exchange: Exchange): Generator<Fault> {
  const { name, required, mediaType } = header;
  // OpenAPI 3.1, "Response Object": a header with this name is ignored.
  if (name.toLowerCase() === 'content-type') return;
  const text = exchange.header(name);
  if (text === undefined) {
    // RFC 9110, section 15.5.2: a server that sends 401 has to send it.
    const isChallenge = exchange.status === 401 && name.toLowerCase() === 'www-authenticate';
    if (required || isChallenge)
      yield {
        expected: `the header ${name} with ${exchange.status}`,
        got: `no ${name}`,
        cause: `no header ${name}`,
      };
    return;
  }
  const readings = readingsOf(api, header, text);
  const wrong = readings.map((value) => api.misfits(header, value));
  if (mediaType === undefined && wrong.length > 0 && wrong.every((found) => found.length > 0))
    yield {
      expected: `the header ${name} by its schema`,
      got: `${name}: ${text}: ${wrong[0]?.[0]?.message ?? ''}`,
      cause: `a header by another schema: ${name} ${wrong[0]?.[0]?.message ?? ''}`,
    };
}

/** The possible values of a header's text by its schema; none if it is neither a list nor a single value. */
function readingsOf({ contract }: OwnApi, { schema }: ResponseHeader, text: string): readonly unknown[] {
  const { kinds } = wireType(schema, contract.document);
  if (kinds.includes('object')) return [];
  const number = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? [Number(text)] : [];
  const items = kinds.includes('array')
    ? [text.split(',').map((item) => item.trim()), text.split(',').map((item) => Number(item))]
    : [];
  const flag = text === 'true' ? [true] : text === 'false' ? [false] : [];
  return [text, ...number, ...flag, ...items];
}
