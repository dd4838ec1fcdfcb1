import type { PolicyOf } from '../../../contract/index.ts';
import { contentFor } from '../../../contract/bodies.ts';
import { findPolicy } from '../../../contract/index.ts';
import { mayLack } from '../../../contract/schema-parts.ts';
import { unlessUnreadable } from '../../check.ts';
import { member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { sketch } from '../../sketch.ts';
import type { OwnApi } from '../own-api.ts';
import { responseFor } from '../own-api.ts';
import type { Facts, Probes } from './facts.ts';

/** Errors with a code in the body. */
export function errorCodeProbes(facts: Facts<PolicyOf<'error-codes'>>): Probes {
  const { api, policy } = facts;
  return {
    oracles: facts.oracle(['shape', 'status'], {
      *look(exchange) {
        const isCall = api.operation(exchange.operation ?? '') !== undefined;
        if (!isCall || exchange.status < 400 || exchange.request.method === 'HEAD') return;
        yield* unlessUnreadable(exchange, facts.ids('shape', 'status'), judge(exchange));
      },
    }),
  };

  /** The document may describe the message as optional. */
  function mayLeaveOut(exchange: Exchange, message: unknown): boolean {
    const operation = api.operation(exchange.operation ?? '');
    const contents = operation === undefined ? [] : (responseFor(operation, exchange.status)?.content ?? []);
    const described = contentFor(contents, exchange.header('content-type'))?.schema;
    return message === undefined && mayLack(described, policy.message, api.root);
  }

  function* judge(exchange: Exchange): ReturnType<Facts['judge']> {
    const [code, message] = [policy.code, policy.message].map((path) => at(exchange.json, path));
    yield* facts.judge(
      'shape',
      exchange,
      typeof code === 'string' &&
        code !== '' &&
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
  }
}

/** The code of an error, if the sheet defines its place; `undefined` if it does not. */
export function statedCodeOf({ contract }: OwnApi, { json }: Exchange): unknown {
  const policy = findPolicy(contract, 'error-codes');
  return policy === undefined ? undefined : (at(json, policy.code) ?? null);
}

/** The value at a dotted path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce(member, value);
}
