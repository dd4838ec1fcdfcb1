import type { ErrorShape, ServedApi, ServedOperation, ServedScheme } from '../../engine/served-api.ts';
import { declaredErrorShape, errorBodiesOf } from '../schemas/error-shape.ts';
import { findPolicy, pagesPolicyOf, policyFor } from '../sheet/find-policy.ts';
import { lifecyclesOf } from '../sheet/lifecycle-of.ts';
import type { Contract, Operation, Parameter, SecurityScheme } from '../model.ts';
import { answeredContent, servedBody, servedHeaders } from './served-bodies.ts';
import { servedParameter } from './served-parameters.ts';
import { isTagged, servedGuard, servedKeyLength, servedReserved, servedUnique } from './served-policies.ts';
import { schemaNames } from './served-schemas.ts';
import { withoutGaps } from '../sheet/without-gaps.ts';

/**
 * The contract as the engine needs it: its document, and the policies of its sheet, as plain data.
 *
 * @param memberOf the member of the input that carries a parameter; `undefined` for one that the engine reads
 * by itself
 */
export function servedApiOf(
  contract: Contract,
  memberOf: (operation: Operation, parameter: Parameter) => string | undefined,
): ServedApi {
  const policies = contract.sheet?.policies ?? [];
  const headers = findPolicy(contract, 'headers');
  const presence = policies.filter((policy) => policy.kind === 'presence');
  const lifecycles = lifecyclesOf(contract);
  const lifecycle =
    lifecycles.find(({ schema }) => presence.some((policy) => policy.schema === schema)) ?? lifecycles[0];
  return withoutGaps<ServedApi>({
    name: contract.name,
    errors: errorsOf(contract),
    requestIdHeader: headers?.requestId,
    creditsHeader: headers?.credits,
    spendHeaders: headers?.spend,
    keyPrefix: keyPrefixOf(contract),
    presence: presence.length === 0 ? undefined : presence,
    lifecycle: lifecycle && {
      schema: lifecycle.schema,
      property: lifecycle.property,
      terminal: lifecycle.terminal,
    },
    operations: contract.operations.map((operation) => servedOperation(contract, operation, memberOf)),
  });
}

/** The credentials of an operation for the engine. */
export function servedSecurity({ security }: Pick<Operation, 'security'>): ServedOperation['security'] {
  if (security.length === 0) return undefined;
  return security.map(({ schemes }) => schemes.filter(({ type }) => type !== 'mutualTLS').map(servedScheme));
}

// --- internal ---

function errorsOf(contract: Contract): ErrorShape {
  const buckets = findPolicy(contract, 'error-buckets');
  if (buckets !== undefined) return { kind: 'buckets', policy: buckets };
  const codes = findPolicy(contract, 'error-codes') ?? declaredErrorShape(contract);
  const bodies = errorBodiesOf(contract, codes);
  const more = bodies === undefined ? {} : { bodies };
  return codes === undefined ? { kind: 'plain', ...more } : { kind: 'codes', policy: codes, ...more };
}

function keyPrefixOf(contract: Contract): ServedApi['keyPrefix'] {
  const policy = findPolicy(contract, 'credentials');
  if (policy?.keyPrefix === undefined || policy.keyHeader === undefined) return undefined;
  const header = policy.keyHeader.toLowerCase();
  const schemes = contract.operations.flatMap(({ security }) => security.flatMap(({ schemes }) => schemes));
  const scheme = schemes.find(({ parameterName }) => parameterName?.toLowerCase() === header);
  return scheme && { prefix: policy.keyPrefix, scheme: scheme.name };
}

function servedOperation(
  contract: Contract,
  operation: Operation,
  memberOf: (operation: Operation, parameter: Parameter) => string | undefined,
): ServedOperation {
  const parameters = operation.parameters.flatMap((parameter) => {
    const member = memberOf(operation, parameter);
    return member === undefined ? [] : [servedParameter(contract, operation, parameter, member)];
  });
  const requiredHeaders = operation.parameters
    .filter((parameter) => parameter.required && parameter.in === 'header')
    .filter((parameter) => memberOf(operation, parameter) === undefined)
    .map(({ name }) => name);
  const stream = policyFor(operation, 'event-stream');
  return withoutGaps<ServedOperation>({
    id: operation.id,
    method: operation.method.toUpperCase(),
    path: operation.path,
    serverPath: serverPathOf(operation),
    parameters: parameters.length === 0 ? undefined : parameters,
    requiredHeaders: requiredHeaders.length === 0 ? undefined : requiredHeaders,
    body: servedBody(contract, operation),
    responses: Object.fromEntries(
      operation.responses.map(({ status, content }) => [
        status,
        content.map((one) => answeredContent(contract, one, schemaNames.response(operation, status, one))),
      ]),
    ),
    responseHeaders: servedHeaders(contract, operation),
    security: servedSecurity(operation),
    pagination: pagesPolicyOf(operation),
    plainSegments: policyFor(operation, 'plain-segments'),
    refusedFormat: policyFor(operation, 'refused-format'),
    idempotency: policyFor(operation, 'idempotency'),
    keyLength: servedKeyLength(contract, operation),
    deadline: policyFor(operation, 'deadline'),
    capacity: policyFor(operation, 'capacity'),
    conditional: policyFor(operation, 'conditional-get'),
    isTagged: isTagged(contract, operation) ? true : undefined,
    guard: servedGuard(contract, operation),
    reserved: servedReserved(operation),
    unique: servedUnique(contract, operation),
    stream: stream && { events: stream.events },
  });
}

/** The path of an operation's own server, without a slash at its end; its variables may have any value. */
function serverPathOf({ servers: [server] }: Operation): string | undefined {
  if (server === undefined) return undefined;
  const [url = ''] = server.url.split(/[?#]/, 1);
  const authority = url.indexOf('//');
  const start = authority < 0 ? 0 : url.indexOf('/', authority + 2);
  return start < 0 ? '' : url.slice(start).replace(/\/$/, '');
}

function servedScheme({ name, type, in: place, parameterName, scheme }: SecurityScheme): ServedScheme {
  if (type === 'apiKey') return { name, kind: place ?? 'header', parameter: parameterName ?? '' };
  const kind = type === 'http' ? scheme?.toLowerCase() : 'bearer';
  return kind === 'basic' || kind === 'bearer'
    ? { name, kind }
    : { name, kind: 'header', parameter: 'Authorization' };
}
