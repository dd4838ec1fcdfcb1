import { isChosen, requireKnownOperations } from '../../contract/index.ts';
import type { Choice, Contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/model.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import type { Gap } from '../verdicts/verdict.ts';
import { requestedPath, templateOf } from './path-template.ts';
import type { PathTemplate } from './path-template.ts';

/** A request as far as its operation can be recognised by it. */
export type Recognisable = Pick<RequestPlan, 'method' | 'target' | 'operation'>;

/**
 * The operations that a run never calls, because of the user's `only` and `except`. It is asked about requests, so
 * that it holds for every scenario, resource, control and search alike.
 */
export interface LeftOut {
  /** Why no rule about an operation is judged; `undefined` if it may be called. */
  readonly operation: (api: string, id: string) => Gap | undefined;
  /** Why a planned request is not sent; `undefined` if it may be sent, and if only its values can tell. */
  readonly planned: (api: string, request: Recognisable) => Gap | undefined;
  /** The same for the target as it is sent, below the base URL: an id can spell the path of another operation. */
  readonly sent: (api: string, request: Recognisable) => Gap | undefined;
}

/**
 * The operations that a choice leaves out. `only` also leaves out a request that matches none of the
 * operations of the document.
 *
 * @throws {UnknownOperationError} for a name that is neither an operation nor a tag: with a misspelt one, the operation would
 * be called
 */
export function leftOutBy(contracts: readonly Contract[], choice: Choice): LeftOut {
  if (choice.only === undefined && choice.except === undefined) return NOTHING;
  requireKnownOperations(
    [...(choice.only ?? []), ...(choice.except ?? [])],
    contracts.flatMap(({ operations }) => operations),
  );
  const apis = new Map(contracts.map((contract) => [contract.name, operationsOf(contract, choice)]));
  const known = (api: string, id: string | undefined): Known | undefined =>
    id === undefined ? undefined : apis.get(api)?.find((one) => one.operation.id === id);
  const unknown = (): Gap | undefined =>
    choice.only === undefined ? undefined : gap('a request outside the operations of the document', '--only');
  return {
    operation: (api, id) => known(api, id)?.gap,
    planned: (api, request) => {
      const own = known(api, request.operation);
      if (own !== undefined) return own.gap;
      const found = matching(apis.get(api) ?? [], request);
      if (found.length === 0) return request.target.includes('{') ? undefined : unknown();
      return found.every((one) => one.gap !== undefined) ? found[0]?.gap : undefined;
    },
    sent: (api, request) => {
      const own = known(api, request.operation);
      if (own?.gap !== undefined) return own.gap;
      const found = mostSpecific(matching(apis.get(api) ?? [], request));
      if (found.length === 0) return own === undefined ? unknown() : undefined;
      if (own !== undefined && found.includes(own)) return undefined;
      return found.find((one) => one.gap !== undefined)?.gap;
    },
  };
}

// --- internal ---

interface Known {
  readonly operation: Operation;
  readonly template: PathTemplate;
  readonly gap: Gap | undefined;
}

const NOTHING: LeftOut = {
  operation: () => undefined,
  planned: () => undefined,
  sent: () => undefined,
};

function operationsOf({ operations }: Contract, choice: Choice): readonly Known[] {
  return operations.map((operation) => ({
    operation,
    template: templateOf(operation.path),
    gap: gapOf(operation, choice),
  }));
}

function gapOf({ id, tags }: Operation, choice: Choice): Gap | undefined {
  if (isChosen(choice, id, tags)) return undefined;
  const name = choice.except?.find((one) => one === id || tags.includes(one));
  return gap(id, name === undefined ? '--only' : `--except ${name}`);
}

function gap(what: string, option: string): Gap {
  return { verdict: 'not-exercised', reason: `${what} is left out by ${option}` };
}

/** The operations that a request may call; HEAD is answered by GET where the document has no HEAD. */
function matching(operations: readonly Known[], { method, target }: Recognisable): readonly Known[] {
  const path = requestedPath(target);
  const by = (name: string): readonly Known[] =>
    operations.filter(
      ({ operation, template }) => operation.method.toUpperCase() === name && template.matches(path),
    );
  const found = by(method.toUpperCase());
  return found.length === 0 && method.toUpperCase() === 'HEAD' ? by('GET') : found;
}

/** Servers prefer fixed text: `/users/me` before `/users/{id}`. */
function mostSpecific(found: readonly Known[]): readonly Known[] {
  const most = Math.max(0, ...found.map(({ template }) => template.fixed));
  return found.filter(({ template }) => template.fixed === most);
}
