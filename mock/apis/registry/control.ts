import { ControlMistake, type ApiControl } from '../../control/api-control.ts';
import { membersOf, recordOf } from '../../control/reading.ts';
import type { Registry } from './context.ts';
import { keepStore } from './durable-state.ts';
import { isPublisherId } from './publishers.ts';
import type { Archive, Publisher, RegistryNode, RegistryStore } from './store.ts';
import { taskStatus } from './task.ts';

/** Publishers, nodes, versions and tasks: to be read, and states to be moved by hand (open point A-46). */
export function registryControl(registry: Registry): ApiControl {
  return {
    state: () => {
      const stores = [...registry.state.stores.values()];
      const nodes = stores.flatMap((store) => [...store.nodes.values()]);
      return {
        publishers: stores.reduce((sum, store) => sum + store.publishers.size, 0),
        nodes: nodes.length,
        versions: nodes.reduce((sum, node) => sum + node.versions.size, 0),
        tasks: stores.reduce((sum, store) => sum + store.tasks.length, 0),
      };
    },
    resources: {
      registry: {
        GET: ([kind, id]) => (kind === 'archives' ? archiveOf(registry, id ?? '') : everything(registry)),
        PUT: (path, body) => {
          const changes = membersOf(body, ['namespace', 'name', 'status', 'status_reason', 'members']);
          const namespace = textOf(changes, 'namespace') ?? '';
          const { stores, freshStore } = registry.state;
          // A new namespace is entered only when the change is accepted.
          const store = stores.get(namespace) ?? freshStore();
          change(registry, store, path, changes);
          stores.set(namespace, store);
          keepStore(registry.keep, namespace, store);
          return contents(registry, store);
        },
      },
    },
  };
}

// --- internal ---

function everything(registry: Registry): unknown {
  const { '': usual, ...namespaces } = Object.fromEntries(
    [...registry.state.stores].map(([namespace, store]) => [namespace, contents(registry, store)]),
  ) as Record<string, object>;
  return { ...(usual ?? contents(registry, registry.state.store(''))), namespaces };
}

/** As the registry would show it, with what only its keeper sees. */
function contents(registry: Registry, store: RegistryStore): object {
  const { keeperViews: views, clock, assume } = registry;
  return {
    publishers: [...store.publishers.values()].map(views.publisher),
    nodes: [...store.nodes.values()].map((node) => ({
      ...views.node(node, undefined),
      publisher_id: node.publisherId,
      versions: [...node.versions.values()].map((version) => ({
        ...views.version(version),
        published_by: version.publishedBy,
        archive: version.archive === undefined ? null : facetsOf(version.archive),
      })),
    })),
    tasks: store.tasks.map(({ id, partner, startedAt, settings }) => ({
      task_id: id,
      partner,
      started_at: new Date(startedAt).toISOString(),
      status: taskStatus({ id, partner, startedAt, settings }, clock.now(), assume('A-52')),
      settings,
    })),
  };
}

/** What was uploaded for a version, by the version's id. */
function archiveOf({ state }: Registry, id: string): object {
  const archive = state.uploads.get(id)?.archive;
  if (archive === undefined) throw new ControlMistake(`Nothing was uploaded for a version ${id}.`, 404);
  const { bytes } = archive;
  return { ...facetsOf(archive), base64: bytes === undefined ? null : Buffer.from(bytes).toString('base64') };
}

function facetsOf({ bytes: _kept, ...facets }: Archive): object {
  return facets;
}

function change(
  registry: Registry,
  store: RegistryStore,
  path: readonly string[],
  changes: Readonly<Record<string, unknown>>,
): void {
  const [kind, id = '', versions, version = ''] = path;
  if (kind === 'publishers' && path.length === 2) {
    changePublisher(registry, store, id, changes);
    return;
  }
  const node = store.nodes.get(id);
  const isNode = kind === 'nodes' && path.length === 2;
  const isVersion = kind === 'nodes' && versions === 'versions' && path.length === 4;
  if (!isNode && !isVersion) throw new ControlMistake(PLACES, 404);
  if (node === undefined) throw new ControlMistake(`There is no node ${id}.`, 404);
  if (isNode) changeNode(registry, node, changes);
  else changeVersion(registry, node, version, changes);
}

const PLACES =
  'PUT /control/v1/registry/publishers/{id}, …/nodes/{id} or …/nodes/{id}/versions/{version}; GET /control/v1/registry';

function changePublisher(
  registry: Registry,
  store: RegistryStore,
  id: string,
  changes: Readonly<Record<string, unknown>>,
): void {
  if (!isPublisherId(id)) throw new ControlMistake('The id of a publisher is in lower case.');
  const known = store.publishers.get(id);
  const publisher: Publisher = known ?? {
    id,
    name: textOf(changes, 'name') ?? id,
    createdAt: registry.clock.now(),
    status: registry.facts.stateOf('PublisherStatus', 'Active'),
    members: [],
  };
  const status = stateOf(registry, 'PublisherStatus', changes);
  const members = membersIn(changes);
  // Everything is checked: from here on nothing is refused.
  publisher.status = status ?? publisher.status;
  publisher.members = members ?? publisher.members;
  store.publishers.set(id, publisher);
}

function membersIn({ members }: Readonly<Record<string, unknown>>): Publisher['members'] | undefined {
  if (members === undefined) return undefined;
  if (!Array.isArray(members)) throw new ControlMistake('"members" is a list of { user, role }.');
  return members.map((member: unknown) => {
    const { user, role } = recordOf(member);
    if (typeof user !== 'string' || typeof role !== 'string')
      throw new ControlMistake('A member has a "user" and a "role".');
    return { user, role };
  });
}

function changeNode(
  registry: Registry,
  node: RegistryNode,
  changes: Readonly<Record<string, unknown>>,
): void {
  node.status = stateOf(registry, 'NodeStatus', changes) ?? node.status;
}

function changeVersion(
  registry: Registry,
  node: RegistryNode,
  name: string,
  changes: Readonly<Record<string, unknown>>,
): void {
  const version = node.versions.get(name);
  if (version === undefined) throw new ControlMistake(`${node.id} has no version ${name}.`, 404);
  const status = stateOf(registry, 'NodeVersionStatus', changes);
  const reason = textOf(changes, 'status_reason');
  version.status = status ?? version.status;
  if (reason !== undefined) version.statusReason = reason;
}

function stateOf(
  { facts }: Registry,
  schema: string,
  changes: Readonly<Record<string, unknown>>,
): string | undefined {
  const status = textOf(changes, 'status');
  const known = facts.statesOf(schema);
  if (status === undefined || known.includes(status)) return status;
  throw new ControlMistake(`"status" is one of ${known.join(', ')}.`);
}

function textOf(changes: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = changes[member];
  if (value === undefined || typeof value === 'string') return value;
  throw new ControlMistake(`"${member}" is a text.`);
}
