import type { Contract } from '../../contract/index.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import { requestedPath, templateOf } from './path-template.ts';

/**
 * The name of the operation of a planned request for people: method and path of the document. A module's plan can have one
 * placeholder for several of the document; what fits no operation has its own path.
 */
export function operationNames(contracts: readonly Contract[]): (api: string, plan: RequestPlan) => string {
  const names = new Map<string, string>();
  return (api, plan) => {
    const own = `${plan.method} ${plan.target.replace('{?query}', '').split('?')[0]}`;
    if (plan.operation !== undefined) return own;
    const key = `${api} ${own}`;
    const name =
      names.get(key) ??
      `${plan.method} ${documented(contracts, api, plan)?.path ?? own.slice(plan.method.length + 1)}`;
    names.set(key, name);
    return name;
  };
}

// --- internal ---

/**
 * The operation with the path that fits a plan best. `{id}` of a plan stands for ids only, so the path has no more fixed segments
 * than the plan. Of several such paths, the one with the most fixed segments wins.
 */
function documented(
  contracts: readonly Contract[],
  api: string,
  { method, target }: RequestPlan,
): { readonly path: string } | undefined {
  const path = requestedPath(target);
  const most = path.filter((segment) => !segment.includes('{')).length;
  const [found] = (contracts.find(({ name }) => name === api)?.operations ?? [])
    .filter((operation) => operation.method.toUpperCase() === method)
    .map((operation) => ({ path: operation.path, template: templateOf(operation.path) }))
    .filter(({ template }) => template.fixed <= most && template.matches(path))
    .sort((one, other) => other.template.fixed - one.template.fixed);
  return found;
}
