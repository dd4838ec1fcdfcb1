import { bytesOfText, keeping, textOfBytes, type Keeping } from '../../state/durable-state.ts';
import type { RegistryState } from './context.ts';
import type { registryChanges } from './stored-forms.ts';

/** The state that survives the process: publishers, nodes, versions, tasks, and signed addresses. */
export function durableRegistry(registry: { state: RegistryState }, fresh: () => RegistryState): Keeping {
  return keeping<RegistryState, typeof registryChanges>(registry, {
    fresh,
    *snapshot({ stores, signer }) {
      yield { part: 'registry.signer', secret: textOfBytes(signer.secret) };
      for (const [namespace, store] of stores) yield store.written(namespace);
    },
    restoring: {
      'registry.signer': ({ signer }, { secret }) => {
        signer.secret = bytesOfText(secret);
      },
      'registry.task': ({ store }, { namespace, task }) => {
        store(namespace).begin(task);
      },
      'registry.archive': ({ uploads }, { id, archive }) => {
        const version = uploads.get(id);
        if (version !== undefined) version.archive = archive;
      },
      'registry.version': ({ store: storeOf, uploads }, { namespace, node: written, version, claims }) => {
        const store = storeOf(namespace);
        const node = store.nodes.get(written.id) ?? { ...written, versions: [] };
        node.status = written.status;
        store.enter(node, version, { claims, said: written.said });
        uploads.set(version.id, version);
      },
      'registry.store': ({ store: storeOf, uploads }, { namespace, publishers, nodes, claims, tasks }) => {
        const store = storeOf(namespace);
        store.publishers.clear();
        store.nodes.clear();
        store.tasks.length = 0;
        for (const publisher of publishers) store.publishers.set(publisher.id, publisher);
        for (const { versions = [], ...node } of nodes) {
          store.nodes.set(node.id, { ...node, versions });
          for (const version of versions) uploads.set(version.id, version);
        }
        store.claim(claims);
        for (const task of tasks) store.begin(task);
      },
    },
  });
}
