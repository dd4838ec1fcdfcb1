import { compilerOf } from '../../contract/judge.ts';
import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { servedApiOf } from '../../contract/served.ts';
import { readParameter, Repeated, type RequestTexts } from '../../engine/parameters.ts';
import type { ServedParameter } from '../../engine/served-api.ts';
import type { EngineFinding, JudgedRequest } from './engine.ts';

/**
 * What the contract's own judge says of the parameters of a request, beside Prism: what Prism refuses and the schema takes is
 * no finding, and what Prism takes and the schema refuses is one. Where both refuse, Prism's words stay.
 */
export function judgedParameters(
  contract: Contract,
): (
  operationId: string,
  request: JudgedRequest,
  found: readonly EngineFinding[],
) => readonly EngineFinding[] {
  const parameters = contract.operations.flatMap((operation) => operation.parameters);
  const { judge, faultOf } = compilerOf(
    contract,
    new Map(parameters.map(({ pointer, schema }) => [pointer, schema])),
    new Map(contract.schemas.map(({ name, schema }) => [name, schema])),
  );
  const served = new Map(
    servedApiOf(contract, (_operation, { in: place, name }) => `${place} ${name}`).operations.map(
      ({ id, parameters: read = [] }) => [id, read],
    ),
  );
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const misfitOf = (
    parameter: Parameter,
    read: ServedParameter,
    texts: RequestTexts,
  ): EngineFinding | undefined => {
    const value = readParameter(read, texts);
    const at = `${parameter.in}.${parameter.name}`;
    // Whether it has to be there is for Prism to say.
    if (value === undefined) return undefined;
    if (value instanceof Repeated)
      return { at, keyword: 'repeated', message: `stands ${String(value.times)} times` };
    if (faultOf(parameter.pointer) !== undefined) return undefined;
    const [first] = judge(parameter.pointer, value);
    return first && { at, keyword: first.keyword, message: first.message };
  };
  return (operationId, request, found) => {
    const operation = operations.get(operationId);
    const read = served.get(operationId) ?? [];
    if (operation === undefined || read.length === 0) return found;
    const texts = textsOf(operation, request);
    return read.reduce((left: readonly EngineFinding[], one) => {
      const parameter = operation.parameters.find(
        ({ in: place, name }) => place === one.in && name === one.name,
      );
      if (parameter === undefined || !isPlain(parameter)) return left;
      const own = misfitOf(parameter, one, texts);
      const isHere = ({ at, severity, keyword }: EngineFinding): boolean =>
        severity === undefined && keyword !== 'required' && isAt(at, parameter);
      if (own === undefined) return left.filter((finding) => !isHere(finding));
      return left.some(isHere) ? left : [...left, own];
    }, found);
  };
}

// --- internal ---

/** Styles that both read alike; what a document writes in another way is left to Prism. */
function isPlain({ in: place, style, mediaType }: Parameter): boolean {
  return mediaType === undefined && place !== 'cookie' && (style === 'simple' || style === 'form');
}

function isAt(at: string, { in: place, name }: Parameter): boolean {
  const [where = '', ...path] = at.split('.');
  const named = path.join('.').toLowerCase();
  const wanted = name.toLowerCase();
  return where === place && (named === wanted || named.startsWith(`${wanted}.`));
}

function textsOf({ path }: Operation, request: JudgedRequest): RequestTexts {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    try {
      headers.append(name, value);
    } catch {
      // HTTP allows no such header: no parameter can ask for it.
    }
  }
  const query = request.query.map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return { segments: segmentsOf(path, request.path), query: query.join('&'), headers };
}

/** The raw values of path parameters that are whole segments. */
function segmentsOf(template: string, path: string): Readonly<Record<string, string>> {
  const segments = path.split('/');
  const names = template.split('/');
  // A document below a base path has fewer segments than the request.
  const skipped = Math.max(0, segments.length - names.length);
  return Object.fromEntries(
    names.flatMap((segment, index) => {
      const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? [];
      const value = segments[index + skipped];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}
