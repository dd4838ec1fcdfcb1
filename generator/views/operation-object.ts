import { policyFor, type ServerObject } from '../../contract/index.ts';
import { requestPath } from '../../contract/sheet/request-path.ts';
import { clientTimeoutMs } from '../../contract/policies/deadline.ts';
import type { RetryPolicy } from '../../contract/policies/retry.ts';
import { type Code, code, type Expression, jsString, layout, valueExpression } from '../printing.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import type { ApiOperation } from './api.ts';
import { accepted, readerOf, resultsOf, statuses } from './operation-answers.ts';
import { bodyObject } from './operation-bodies.ts';
import { parameterMembers } from './operation-parameters.ts';
import { list, object, recorder, type RuntimeUse, type Use } from './runtime-use.ts';

/** A member of an object literal. */
export interface Member {
  readonly name: string;
  readonly value: Code;
}

/** The data of one operation for the runtime, and the functions of the runtime that it names. */
export interface OperationObject {
  readonly members: readonly Member[];
  /** Exports of the runtime, by module. */
  readonly uses: readonly RuntimeUse[];
}

/**
 * @param security the name of the constant with the operation's alternatives of credentials, if it has any
 * @param table the target of references in schemas of parameters
 */
export function operationObject(
  api: ApiOperation,
  security: string | undefined,
  table: SchemaTable,
): OperationObject {
  const { operation } = api;
  const uses: RuntimeUse[] = [];
  const use = recorder(uses);
  // A fragment is never sent; documents use it to distinguish operations with the same path.
  const [path = ''] = requestPath(operation).split('#');
  const members: [string, Expression | undefined][] = [
    ['id', jsString(operation.id)],
    ['method', jsString(operation.method.toUpperCase())],
    ['path', jsString(path)],
    [
      'parameters',
      list(api.parameters.map((parameter) => object(parameterMembers(parameter, path, table, use)))),
    ],
    ['body', api.body && bodyObject(api.body, use)],
    [
      'server',
      operation.servers[0] && serverObject(operation.servers[0], [['find', use('addresses', 'ownAddress')]]),
    ],
    ['security', security],
    ['accept', accepted(api.responses)],
    ['read', api.operation.method === 'head' ? undefined : readerOf(api.responses, table, use)],
    ['results', statuses(resultsOf(api.responses).filter(({ status }) => /^3\d\d$/.test(status)))],
    ['key', keyObject(api, use)],
    ['retry', retryRules(api, use)],
    ['timeoutMs', timeout(api)],
    ['patiently', timeout(api) === undefined ? undefined : use('patience', 'patiently')],
  ];
  return {
    members: members.flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value: code(layout(value, 2, 4 + name.length)) }],
    ),
    uses,
  };
}

/** An address of the document as data. Without a user and a password: `fetch` refuses addresses with them. */
export function serverObject(
  { url, variables }: ServerObject,
  more: readonly (readonly [string, Expression])[] = [],
): Expression {
  const usual = variables.map((variable) => [variable.name, jsString(variable.default)] as const);
  return object([
    ['url', jsString(url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1'))],
    ['variables', usual.length === 0 ? undefined : object(usual)],
    ...more,
  ]);
}

// --- internal ---

function keyObject({ operation }: ApiOperation, use: Use): Expression | undefined {
  const policy = policyFor(operation, 'idempotency');
  if (policy === undefined) return undefined;
  const replayed =
    policy.mode === 'replay' && policy.replayHeader !== undefined
      ? valueExpression(policy.replayHeader)
      : undefined;
  return object([
    ['header', jsString(policy.requestHeader)],
    ['create', use('keys', 'randomKey')],
    ['replayed', replayed],
  ]);
}

function retryRules({ operation }: ApiOperation, use: Use): Expression {
  const policy = policyFor(operation, 'retry');
  if (policy !== undefined) return valueExpression(rulesOf(policy));
  const isRepeatable = ['get', 'head', 'put', 'delete', 'options', 'trace', 'query'].includes(
    operation.method,
  );
  return use('policies/retry', isRepeatable ? 'idempotentMethodRules' : 'otherMethodRules');
}

function rulesOf({ kind: _kind, operations: _operations, ...rules }: RetryPolicy): object {
  void _kind;
  void _operations;
  return rules;
}

function timeout({ operation }: ApiOperation): string | undefined {
  const policy = policyFor(operation, 'deadline');
  return policy && clientTimeoutMs(policy).toLocaleString('en').replaceAll(',', '_');
}
