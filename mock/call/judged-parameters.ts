import { compilerOf, type Misfit } from '../../contract/judge/judge.ts';
import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { isOfTransport } from '../../contract/served/transport-headers.ts';
import { readOtherwise, readParameter, Repeated, type RequestTexts } from '../../engine/parameters.ts';
import { routerOf } from '../../engine/route.ts';
import type { ServedOperation, ServedParameter } from '../../engine/served-api.ts';
import type { EngineFinding, JudgedRequest } from './engine.ts';
import { servedOperations } from './served-operations.ts';

/**
 * Validates the parameters of a request. They are parsed as in a generated server, in every style and
 * position, and validated by the contract's own judge. A deprecated parameter results in a warning, and so
 * does one whose schema cannot be used.
 */
export function judgedParameters(
  contract: Contract,
): (operationId: string, request: JudgedRequest) => readonly EngineFinding[] {
  const declared = contract.operations.flatMap(({ parameters }) => parameters);
  // A large document has thousands of schemas and operations, of which a mock needs those that are called.
  let compiler: Compiler | undefined;
  const compiled = (): Compiler =>
    (compiler ??= compilerOf(
      contract,
      new Map(declared.map(({ pointer, schema }) => [pointer, schema])),
      new Map(contract.schemas.map(({ name, schema }) => [name, schema])),
      { all: true },
    ));
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const known = new Map<string, JudgedOperation>();
  const served = servedOperations(contract, (_operation, { in: place, name }) => `${place} ${name}`);
  const judgedOf = (operation: Operation): JudgedOperation => {
    const judged = judgedOperation(operation.parameters, served(operation.id));
    known.set(operation.id, judged);
    return judged;
  };
  const findingsOf = ({ parameter, read }: Judged, texts: RequestTexts): readonly EngineFinding[] => {
    const { in: place, name, pointer } = parameter;
    const value = readParameter(read, texts);
    const at = `${place}.${name}`;
    if (value === undefined) {
      const message = `Request ${place} must have required property '${name}'`;
      return parameter.required ? [{ at: place, keyword: 'required', message }] : [];
    }
    const warnings = parameter.deprecated ? [deprecated(parameter)] : [];
    if (isOfTransport(parameter)) return warnings;
    if (value instanceof Repeated)
      return [
        ...warnings,
        { at, keyword: 'repeated', message: `${named(parameter)} is sent ${String(value.times)} times` },
      ];
    const { judge, faultOf } = compiled();
    const fault = faultOf(pointer);
    if (fault !== undefined) return [...warnings, unjudgeable(parameter, fault)];
    const misfits = judge(pointer, value);
    const fitsOtherwise =
      misfits.length > 0 &&
      readOtherwise(read, texts, (other) => judge(pointer, other).length === 0) !== undefined;
    return fitsOtherwise ? warnings : [...misfits.map((misfit) => misplaced(parameter, misfit)), ...warnings];
  };
  return (operationId, request) => {
    const operation = operations.get(operationId);
    if (operation === undefined || operation.parameters.length === 0) return [];
    const judged = known.get(operationId) ?? judgedOf(operation);
    const texts = textsOf(judged, request);
    return judged.parameters.flatMap((parameter) => findingsOf(parameter, texts));
  };
}

// --- internal ---

type Compiler = ReturnType<typeof compilerOf>;

interface Judged {
  readonly parameter: Parameter;
  readonly read: ServedParameter;
}

interface JudgedOperation {
  readonly parameters: readonly Judged[];
  /** The raw values of path parameters. */
  readonly segments: (request: JudgedRequest) => RequestTexts['segments'];
}

function judgedOperation(
  parameters: readonly Parameter[],
  served: ServedOperation | undefined,
): JudgedOperation {
  const judged = parameters.flatMap((parameter): Judged[] => {
    const read = served?.parameters?.find(
      ({ in: place, name }) => place === parameter.in && name === parameter.name,
    );
    return read === undefined ? [] : [{ parameter, read }];
  });
  if (served === undefined) return { parameters: judged, segments: () => ({}) };
  const route = routerOf([served]);
  const depth = served.path.split('?', 1)[0]?.split('/').length ?? 0;
  return {
    parameters: judged,
    segments: ({ path, search = '' }) => {
      const parts = path.split('/');
      // A document below a base path has fewer segments than the request.
      const own = parts.slice(Math.max(0, parts.length - depth));
      if (parts.length > depth) own[0] = '';
      const found = route(served.method, own.join('/'), search.replace(/^\?/, ''));
      if (found.kind !== 'operation') return {};
      // An empty segment is not a value.
      return Object.fromEntries(Object.entries(found.segments).filter(([, raw]) => raw !== ''));
    },
  };
}

function textsOf({ segments }: JudgedOperation, request: JudgedRequest): RequestTexts {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    try {
      headers.append(name, value);
    } catch {
      // HTTP does not allow such a header, so no parameter can require it.
    }
  }
  const pairs = request.query.map(({ name, value }) => `${encoded(name)}=${encoded(value)}`);
  const query = request.search?.replace(/^\?/, '') ?? pairs.join('&');
  return { segments: segments(request), query, headers };
}

/** Delimiters of a list stay unescaped. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%2C/g, ',');
}

function deprecated(parameter: Parameter): EngineFinding {
  const { in: place, name } = parameter;
  const message = `${place.charAt(0).toUpperCase()}${place.slice(1)} param ${name} is deprecated`;
  return { at: `${place}.${name}`, keyword: 'deprecated', message, severity: 'warning' };
}

function unjudgeable({ in: place, name, pointer }: Parameter, reason: string): EngineFinding {
  const message = `the parameter cannot be judged by the schema at ${pointer}: ${reason}`;
  return { at: `${place}.${name}`, keyword: 'unjudgeable', message, severity: 'warning' };
}

function misplaced(parameter: Parameter, { pointer, message, keyword }: Misfit): EngineFinding {
  const inside = pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const at = `${parameter.in}.${parameter.name}${inside}`;
  return { at, keyword, message: `${named(parameter)}${inside} ${message}` };
}

function named({ in: place, name }: Parameter): string {
  return `Request ${place} parameter ${name}`;
}
