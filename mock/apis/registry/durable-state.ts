import type { Form } from '../../../contract/index.ts';
import {
  bytesOfText,
  changeOf,
  keeping,
  textOfBytes,
  type StateChange,
  type RecordChange,
  type Keeping,
} from '../../state/durable-state.ts';
import type { RegistryState } from './context.ts';
import type { Archive, NodeVersion, Publisher, RegistryNode, RegistryStore, Task } from './store.ts';
import { archiveForm, nodeForm, publisherForm, taskForm, versionForm } from './stored-forms.ts';

const STORE = 'registry.store';
const VERSION = 'registry.version';
const ARCHIVE = 'registry.archive';
const TASK = 'registry.task';
const SIGNER = 'registry.signer';

type WrittenNode = Omit<RegistryNode, 'versions'> & { readonly versions?: readonly NodeVersion[] };

/** Records a published version, with the current state of its node. */
export function keepVersion(
  keep: RecordChange | undefined,
  namespace: string,
  entered: { readonly node: RegistryNode; readonly version: NodeVersion; readonly claims: readonly string[] },
): void {
  const { versions: _others, ...node } = entered.node;
  keep?.({ part: VERSION, namespace, node, version: entered.version, claims: entered.claims });
}

/** Takes down what an upload address took; the bytes stay behind. */
export function keepArchive(keep: RecordChange | undefined, versionId: string, archive: Archive): void {
  keep?.({ part: ARCHIVE, id: versionId, archive: withoutBytes(archive) });
}

export function keepTask(keep: RecordChange | undefined, namespace: string, task: Task): void {
  keep?.({ part: TASK, namespace, task });
}

/** Takes down a whole registry, after its keeper changed something in it. */
export function keepStore(keep: RecordChange | undefined, namespace: string, store: RegistryStore): void {
  keep?.(writtenStore(namespace, store));
}

/** The forms of the changes that this API takes down, by their part. */
export const registryChanges: Readonly<Record<string, Form>> = {
  [SIGNER]: changeOf({ secret: 'string' }),
  [TASK]: changeOf({ namespace: 'string', task: taskForm }),
  [ARCHIVE]: changeOf({ id: 'string', archive: archiveForm }),
  [VERSION]: changeOf({
    namespace: 'string',
    node: nodeForm,
    version: versionForm,
    claims: { listOf: 'string' },
  }),
  [STORE]: changeOf({
    namespace: 'string',
    publishers: { listOf: publisherForm },
    nodes: { listOf: nodeForm },
    claims: { listOf: 'string' },
    tasks: { listOf: taskForm },
  }),
};

/** The state that survives the process: publishers, nodes, versions, tasks, and signed addresses. */
export function durableRegistry(registry: { state: RegistryState }, fresh: () => RegistryState): Keeping {
  return keeping(registry, {
    ...{ fresh, restoreIn },
    *snapshot({ stores, signer }) {
      yield { part: SIGNER, secret: textOfBytes(signer.secret) };
      for (const [namespace, store] of stores) yield writtenStore(namespace, store);
    },
  });
}

// --- internal ---

function restoreIn({ store: storeOf, uploads, signer }: RegistryState, change: StateChange): void {
  const store = (): RegistryStore => storeOf(String(change['namespace']));
  switch (change.part) {
    case SIGNER:
      signer.secret = bytesOfText(change['secret']);
      return;
    case TASK:
      store().begin(change['task'] as Task);
      return;
    case ARCHIVE: {
      const version = uploads.get(String(change['id']));
      if (version !== undefined) version.archive = change['archive'] as Archive;
      return;
    }
    case VERSION: {
      const written = change['node'] as WrittenNode;
      const version = change['version'] as NodeVersion;
      const node = store().nodes.get(written.id) ?? { ...written, versions: new Map() };
      Object.assign(node, { status: written.status });
      store().enter(node, version, { claims: change['claims'] as string[], said: written.said });
      uploads.set(version.id, version);
      return;
    }
    case STORE:
      readStore(change, store(), uploads);
  }
}

function writtenStore(namespace: string, store: RegistryStore): StateChange {
  return {
    part: STORE,
    namespace,
    publishers: [...store.publishers.values()],
    nodes: [...store.nodes.values()].map(({ versions, ...node }) => ({
      ...node,
      versions: [...versions.values()].map((version) =>
        version.archive === undefined ? version : { ...version, archive: withoutBytes(version.archive) },
      ),
    })),
    claims: store.claims(),
    tasks: store.tasks,
  };
}

function readStore(change: StateChange, store: RegistryStore, uploads: Map<string, NodeVersion>): void {
  store.publishers.clear();
  store.nodes.clear();
  store.tasks.length = 0;
  for (const publisher of change['publishers'] as Publisher[]) store.publishers.set(publisher.id, publisher);
  for (const { versions = [], ...node } of change['nodes'] as WrittenNode[]) {
    store.nodes.set(node.id, {
      ...node,
      versions: new Map(versions.map((version) => [version.version, version])),
    });
    for (const version of versions) uploads.set(version.id, version);
  }
  store.claim(change['claims'] as string[]);
  for (const task of change['tasks'] as Task[]) store.begin(task);
}

function withoutBytes({ bytes: _kept, ...archive }: Archive): Archive {
  return archive;
}
