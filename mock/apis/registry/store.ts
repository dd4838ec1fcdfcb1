import type { Archive, NodeVersion, Publisher, RegistryChange, RegistryNode, Task } from './stored-forms.ts';

/** The bytes of archives; the oldest are dropped first. */
export class ArchiveShelf {
  readonly #kept = new Map<Archive, Uint8Array>();
  #size = 0;

  put(archive: Archive, bytes: Uint8Array): void {
    this.#kept.set(archive, bytes);
    this.#size += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= MOST_BYTES) return;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
  }

  bytesOf(archive: Archive): Uint8Array | undefined {
    return this.#kept.get(archive);
  }
}

/** One registry. Each namespace has its own. */
export class RegistryStore {
  readonly publishers = new Map<string, Publisher>();
  readonly nodes = new Map<string, RegistryNode>();
  readonly tasks: Task[] = [];
  readonly #taken = new Set<string>();

  constructor(publishers: readonly Publisher[], nodes: readonly RegistryNode[]) {
    for (const publisher of publishers) this.publishers.set(publisher.id, { ...publisher });
    for (const node of nodes) this.nodes.set(node.id, { ...node });
  }

  isTaken(claim: string): boolean {
    return this.#taken.has(claim);
  }

  claim(claims: readonly string[]): void {
    for (const claim of claims) this.#taken.add(claim);
  }

  /** Enters a version, and its node if that is new. The claims make the version unique. */
  enter(
    node: RegistryNode,
    version: NodeVersion,
    entry: { readonly claims: readonly string[]; readonly said: RegistryNode['said'] },
  ): void {
    this.claim(entry.claims);
    this.nodes.set(node.id, node);
    node.said = { ...node.said, ...entry.said };
    node.versions = [...node.versions.filter((other) => other.version !== version.version), version];
  }

  /** Stores a task; the oldest ones are dropped first. */
  begin(task: Task): void {
    this.tasks.push(task);
    if (this.tasks.length > MOST_TASKS) this.tasks.shift();
  }

  /** Its whole content, as one change. */
  written(namespace: string): RegistryChange {
    return structuredClone({
      ...{ part: 'registry.store' as const, namespace },
      publishers: [...this.publishers.values()],
      nodes: [...this.nodes.values()],
      claims: [...this.#taken],
      tasks: this.tasks,
    });
  }
}

// --- internal ---

const MOST_TASKS = 1_000;
const MOST_BYTES = 128 * 2 ** 20;
