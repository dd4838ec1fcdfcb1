import type { Formed } from '../../../contract/form.ts';
import { ControlMistake, type ApiControl } from '../../control/api-control.ts';
import { formed } from '../../control/reading.ts';
import { textOfBytes } from '../../state/durable-state.ts';
import type { Registry } from './context.ts';
import { isPublisherId } from './publishers.ts';
import type { RegistryStore } from './store.ts';
import { publisherForm, type Publisher } from './stored-forms.ts';
import { taskStatus } from './task.ts';

/** Reads publishers, nodes, versions and tasks, and moves states manually (open point A-46). */
export function registryControl(registry: Registry): ApiControl {
  return {
    state: () => {
      const stores = [...registry.state.stores.values()];
      const nodes = stores.flatMap((store) => [...store.nodes.values()]);
      return {
        publishers: stores.reduce((sum, store) => sum + store.publishers.size, 0),
        nodes: nodes.length,
        versions: nodes.reduce((sum, node) => sum + node.versions.length, 0),
        tasks: stores.reduce((sum, store) => sum + store.tasks.length, 0),
      };
    },
    resources: {
      registry: {
        GET: ([kind, id]) => (kind === 'archives' ? archiveOf(registry, id ?? '') : everything(registry)),
        PUT: (path, body) => {
          const changes = formed(body, CHANGES);
          const { namespace = '' } = changes;
          const { stores, freshStore } = registry.state;
          // A new namespace is entered only if the change is accepted.
          const store = stores.get(namespace) ?? freshStore();
          change(registry, store, path, changes);
          stores.set(namespace, store);
          registry.keep?.(store.written(namespace));
          return contents(registry, store);
        },
      },
    },
  };
}

// --- internal ---

const { id: _id, createdAt: _createdAt, ...settable } = publisherForm.members;
const CHANGES = { members: { ...settable, namespace: 'string', status_reason: 'string' } } as const;

type Changes = Formed<typeof CHANGES>;

function everything(registry: Registry): unknown {
  const { '': usual, ...namespaces } = Object.fromEntries(
    [...registry.state.stores].map(([namespace, store]) => [namespace, contents(registry, store)]),
  ) as Record<string, object>;
  return { ...(usual ?? contents(registry, registry.state.store(''))), namespaces };
}

/** The resource as the registry shows it, with internal data. */
function contents(registry: Registry, store: RegistryStore): object {
  const { keeperViews: views, clock, assume } = registry;
  return {
    publishers: [...store.publishers.values()].map(views.publisher),
    nodes: [...store.nodes.values()].map((node) => ({
      ...views.node(node, undefined),
      publisher_id: node.publisherId,
      versions: node.versions.map((version) => ({
        ...views.version(version),
        published_by: version.publishedBy,
        archive: version.archive ?? null,
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

/** The upload for a version, by the version's id. */
function archiveOf({ state }: Registry, id: string): object {
  const archive = state.uploads.get(id)?.archive;
  if (archive === undefined) throw new ControlMistake(`No archive was uploaded for the version ${id}.`, 404);
  const bytes = state.shelf.bytesOf(archive);
  return { ...archive, base64: bytes === undefined ? null : textOfBytes(bytes) };
}

function change(registry: Registry, store: RegistryStore, path: readonly string[], changes: Changes): void {
  const [kind, id = '', versions, version = ''] = path;
  if (kind === 'publishers' && path.length === 2) {
    changePublisher(registry, store, id, changes);
    return;
  }
  const isNode = kind === 'nodes' && path.length === 2;
  const isVersion = kind === 'nodes' && versions === 'versions' && path.length === 4;
  if (!isNode && !isVersion) throw new ControlMistake(PLACES, 404);
  const node = store.nodes.get(id);
  if (node === undefined) throw new ControlMistake(`There is no node ${id}.`, 404);
  if (isNode) {
    node.status = stateOf(registry, 'NodeStatus', changes) ?? node.status;
    return;
  }
  const known = node.versions.find((each) => each.version === version);
  if (known === undefined) throw new ControlMistake(`${id} has no version ${version}.`, 404);
  known.status = stateOf(registry, 'NodeVersionStatus', changes) ?? known.status;
  if (changes.status_reason !== undefined) known.statusReason = changes.status_reason;
}

const PLACES =
  'PUT /control/v1/registry/publishers/{id}, …/nodes/{id} or …/nodes/{id}/versions/{version}; GET /control/v1/registry';

function changePublisher(registry: Registry, store: RegistryStore, id: string, changes: Changes): void {
  if (!isPublisherId(id)) throw new ControlMistake('The id of a publisher is in lower case.');
  const publisher: Publisher = store.publishers.get(id) ?? {
    id,
    name: changes.name ?? id,
    createdAt: registry.clock.now(),
    status: registry.facts.stateOf('PublisherStatus', 'Active'),
    members: [],
  };
  publisher.status = stateOf(registry, 'PublisherStatus', changes) ?? publisher.status;
  publisher.members = changes.members ?? publisher.members;
  store.publishers.set(id, publisher);
}

/** @throws {ControlMistake} for a state that the document does not list */
function stateOf({ facts }: Registry, schema: string, { status }: Changes): string | undefined {
  return status === undefined ? undefined : formed(status, { oneOf: facts.statesOf(schema) });
}
