import type { PolicyOf } from '../../../contract/index.ts';
import { contentFor } from '../../../contract/judge/bodies.ts';
import { findPolicy } from '../../../contract/index.ts';
import { mayLack } from '../../../contract/schemas/schema-parts.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { at, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { OwnApi } from '../own-api.ts';
import { responseFor, statesStatus } from '../own-api.ts';
import type { Facts, Probes } from './facts.ts';
import { isUsable } from '../../target/usable.ts';

/** Errors with a code in the body. */
export function errorCodeProbes(facts: Facts<PolicyOf<'error-codes'>>): Probes {
  const { api, policy } = facts;
  /** Codes of refusals that other policies state: these may be checked first. */
  const stated = new Set<unknown>(
    (api.contract.sheet?.policies ?? []).flatMap((one) => bucketsIn(one === policy ? undefined : one)),
  );
  return {
    oracles: facts.oracle(['shape', 'status', 'roles'], {
      *look(exchange) {
        const isCall = api.operation(exchange.operation ?? '') !== undefined;
        if (!isCall || exchange.status < 400 || exchange.request.method === 'HEAD') return;
        if (isOfLimiter(exchange)) return;
        yield* unlessUnreadable(exchange, facts.ids('shape', 'status', 'roles'), judge(exchange));
      },
    }),
  };

  /** A limit of the rate that neither the document nor the sheet declares may be that of a gateway. */
  function isOfLimiter({ operation: id, status }: Exchange): boolean {
    const operation = api.operation(id ?? '');
    return (
      status === 429 &&
      operation !== undefined &&
      responseFor(operation, status) === undefined &&
      !statesStatus(operation, status)
    );
  }

  /** The document may describe the message as optional. */
  function mayLeaveOut(exchange: Exchange, message: unknown): boolean {
    const operation = api.operation(exchange.operation ?? '');
    const contents = operation === undefined ? [] : (responseFor(operation, exchange.status)?.content ?? []);
    const described = contentFor(contents, exchange.header('content-type'))?.schema;
    return message === undefined && mayLack(described, policy.message, api.root);
  }

  /**
   * An error that the document does not declare, such as 415, may have no code if the declared ones of the operation may leave it
   * out: none of the codes may fit.
   */
  function mayHaveNoCode({ operation: id, status }: Exchange, code: unknown): boolean {
    const operation = api.operation(id ?? '');
    if (code !== undefined || operation === undefined) return false;
    if (responseFor(operation, status) !== undefined || statesStatus(operation, status)) return false;
    const declared = operation.responses.filter((response) => /^[45]/.test(response.status));
    const contents = declared.flatMap(({ content }) => content);
    return contents.length > 0 && contents.every(({ schema }) => mayLack(schema, policy.code, api.root));
  }

  function* judge(exchange: Exchange): ReturnType<Facts['judge']> {
    const [code, message] = [policy.code, policy.message].map((path) => at(exchange.json, path));
    yield* facts.judge(
      'shape',
      exchange,
      // Where no codes are named, an empty text may be one.
      ((typeof code === 'string' && (code !== '' || policy.codes.length === 0)) ||
        mayHaveNoCode(exchange, code)) &&
        (typeof message === 'string' || mayLeaveOut(exchange, message)),
      `an error with texts at ${policy.code} and ${policy.message}`,
    );
    const said = policy.status === undefined ? undefined : at(exchange.json, policy.status);
    if (said !== undefined && said !== null)
      yield* facts.judge(
        'shape',
        exchange,
        Number(said) === exchange.status,
        `${exchange.status} at ${policy.status ?? ''}, as the status of the answer`,
        sketch(said, 40),
      );
    const stated = policy.codes.find(({ name }) => name === code)?.status;
    if (stated !== undefined)
      yield* facts.status('status', exchange, stated, `with the code ${String(code)}`);
    yield* judgeRole(exchange, code);
  }

  /** Another named code than that of the role; a server may send codes that the sheet does not name. */
  function* judgeRole(exchange: Exchange, code: unknown): ReturnType<Facts['judge']> {
    const [role, what] = roleOf(exchange) ?? [];
    const wanted = role === undefined ? undefined : policy.roles[role];
    const isNamed = policy.codes.some(({ name }) => name === code) && !stated.has(code);
    if (wanted === undefined || (code !== wanted && !isNamed)) return;
    yield* facts.judge(
      'roles',
      exchange,
      code === wanted,
      `the code ${wanted} for ${what ?? ''}`,
      `the code ${String(code)}`,
    );
  }
}

/** The role of a refusal, and its cause, as far as the request shows it. */
export function roleOf({
  status,
  request,
  isInvalid,
}: Exchange): readonly [role: string, what: string] | undefined {
  if (status === 401 && request.as === 'none') return ['noCredential', 'a call without a credential'];
  if (isInvalid !== true || !isUsable(request.as)) return undefined;
  if (status === 415) return ['mediaType', 'a media type that is not accepted'];
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const text = request.body === undefined ? '' : new TextDecoder().decode(request.body);
  const isMalformed =
    (status === 400 || status === 422) && /json/i.test(type) && parseJson(text) === undefined;
  return isMalformed && text !== '' ? ['malformed', 'a body that is not JSON'] : undefined;
}

/** The names of refusals in a policy. */
function bucketsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'bucket' ? [inner as unknown] : bucketsIn(inner),
  );
}

/** The code of an error, if the sheet defines its place; `undefined` if it does not. */
export function statedCodeOf({ contract }: OwnApi, { json }: Exchange): unknown {
  const policy = findPolicy(contract, 'error-codes');
  return policy === undefined ? undefined : (at(json, policy.code) ?? null);
}
