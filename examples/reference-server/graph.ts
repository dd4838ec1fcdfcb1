import { refuse } from '../../generated/jobs/server.ts';

/** One step of a job. */
export interface Step {
  readonly node: string;
  readonly ms: number;
  readonly previews: boolean;
  readonly fails: boolean;
}

/** The effects of the nodes of a graph; the contract leaves the vocabulary of a graph to the server. */
const classes: Readonly<Record<string, NodeClass>> = {
  dot: { steps: 1, stepMs: 15 },
  paint: { steps: 4, stepMs: 100, needs: ['motif'] },
  sketch: { steps: 12, stepMs: 250, needs: ['motif'], previews: true },
  brood: { steps: 14, stepMs: 250 },
  stumble: { steps: 2, stepMs: 60, fails: true },
  place: { steps: 1, stepMs: 30, needs: ['asset'] },
};

const extraKeys: ReadonlySet<string> = new Set(['mood']);

/** Assets and their owners. */
export const assets = { own: 'asset-main', foreign: 'asset-second', missing: 'asset-nobody' } as const;
const assetOwners: ReadonlyMap<string, string> = new Map([
  [assets.own, 'main'],
  [assets.foreign, 'second'],
]);

/**
 * Validates a submission and makes a plan from it.
 *
 * @throws {Refusal} for any fault that prevents a job
 */
export function planOf(body: unknown, account: string): readonly Step[] {
  if (!isObject(body)) throw refuse('invalid_workflow', 'The body is no JSON object.', { status: 400 });
  const extra = body['extra_data'] ?? {};
  const unknown = isObject(extra) ? Object.keys(extra).filter((key) => !extraKeys.has(key)) : ['no object'];
  if (unknown.length > 0)
    throw refuse('unknown_extra_data', `Not known: ${unknown.join(', ')}.`, { status: 400 });
  const graph = body['graph'];
  if (isObject(graph) && Array.isArray(graph['nodes']) && Array.isArray(graph['links']))
    throw refuse('workflow_format_ui', 'This is an export of the editor: send the graph in API format.', {
      status: 400,
    });
  const nodes = isObject(graph) ? Object.entries(graph) : [];
  const faults = Object.fromEntries(
    nodes.map(([id, node]) => [id, faultsOf(node)]).filter(([, found]) => (found ?? []).length > 0),
  );
  if (nodes.length === 0 || Object.keys(faults).length > 0)
    throw refuse('invalid_workflow', 'The graph cannot run.', {
      status: 400,
      details: { node_errors: faults },
    });
  const strange = assetsIn(graph).find((asset) => assetOwners.get(asset) !== account);
  if (strange !== undefined) throw refuse('unknown_asset', `You have no asset ${strange}.`, { status: 400 });
  return nodes.flatMap(([id, node]) => stepsOf(id, node));
}

// --- internal ---

interface NodeClass {
  readonly steps: number;
  readonly stepMs: number;
  readonly needs?: readonly string[];
  readonly previews?: true;
  readonly fails?: true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function classOf(node: unknown): NodeClass | undefined {
  const name = isObject(node) ? node['class'] : undefined;
  return typeof name === 'string' && Object.hasOwn(classes, name) ? classes[name] : undefined;
}

function faultsOf(node: unknown): readonly { readonly field: string; readonly reason: string }[] {
  const known = classOf(node);
  if (!isObject(node) || known === undefined) return [{ field: 'class', reason: 'unknown_class' }];
  const given = isObject(node['with']) ? node['with'] : {};
  return (known.needs ?? [])
    .filter((name) => given[name] === undefined)
    .map((name) => ({ field: `with.${name}`, reason: 'missing_input' }));
}

function stepsOf(node: string, value: unknown): readonly Step[] {
  const { steps, stepMs, previews, fails } = classOf(value) ?? { steps: 0, stepMs: 0 };
  return Array.from({ length: steps }, (_, index) => ({
    ...{ node, ms: stepMs },
    previews: previews === true,
    fails: fails === true && index === steps - 1,
  }));
}

function assetsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(assetsIn);
  if (!isObject(value)) return [];
  return value['kind'] === 'core/ASSET' ? [String(value['id'])] : Object.values(value).flatMap(assetsIn);
}
