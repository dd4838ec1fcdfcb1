/** A publisher as the registry keeps it. */
export interface Publisher {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  status: string;
  /** Who acts for it. The details of people are made up where they are shown. */
  members: readonly Membership[];
}

export interface Membership {
  readonly user: string;
  readonly role: string;
}

export interface RegistryNode {
  readonly id: string;
  readonly publisherId: string;
  readonly createdAt: number;
  status: string;
  /** The data from its publications; later ones override earlier ones. */
  said: Readonly<Record<string, unknown>>;
  /** By version, in the order of their publication. */
  readonly versions: Map<string, NodeVersion>;
}

export interface NodeVersion {
  readonly id: string;
  readonly nodeId: string;
  readonly version: string;
  readonly createdAt: number;
  readonly publishedBy: string;
  readonly said: Readonly<Record<string, unknown>>;
  status: string;
  statusReason?: string;
  archive?: Archive;
}

/** What was uploaded to an address. Its bytes are kept as long as there is room. */
export interface Archive {
  /** In bytes. */
  readonly size: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
  readonly contentType: string | undefined;
  readonly uploadedAt: number;
  bytes?: Uint8Array;
}

/** The bytes of archives; the oldest make room. */
export class ArchiveShelf {
  readonly #kept: Archive[] = [];
  #size = 0;

  put(archive: Archive, bytes: Uint8Array): void {
    archive.bytes = bytes;
    this.#kept.push(archive);
    this.#size += bytes.length;
    while (this.#size > MOST_BYTES) {
      const oldest = this.#kept.shift();
      if (oldest === undefined) return;
      this.#size -= oldest.bytes?.length ?? 0;
      delete oldest.bytes;
    }
  }
}

/** A task of the partner. It proceeds with the clock. */
export interface Task {
  readonly id: string;
  readonly partner: string;
  readonly startedAt: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** One registry. Callers whose keys name a namespace have one of their own. */
export class RegistryStore {
  readonly publishers = new Map<string, Publisher>();
  readonly nodes = new Map<string, RegistryNode>();
  readonly tasks: Task[] = [];
  readonly #taken = new Set<string>();

  constructor(publishers: readonly Publisher[], nodes: readonly RegistryNode[]) {
    for (const publisher of publishers) this.publishers.set(publisher.id, { ...publisher });
    for (const node of nodes) this.nodes.set(node.id, { ...node, versions: new Map(node.versions) });
  }

  isTaken(claim: string): boolean {
    return this.#taken.has(claim);
  }

  /** All that is taken. */
  claims(): readonly string[] {
    return [...this.#taken];
  }

  claim(claims: readonly string[]): void {
    for (const claim of claims) this.#taken.add(claim);
  }

  /** Enters a version, and its node where that is new. The claims make the version unique. */
  enter(
    node: RegistryNode,
    version: NodeVersion,
    entry: { readonly claims: readonly string[]; readonly said: RegistryNode['said'] },
  ): void {
    this.claim(entry.claims);
    this.nodes.set(node.id, node);
    node.said = { ...node.said, ...entry.said };
    node.versions.set(version.version, version);
  }

  /** Keeps a task; the oldest ones make room. */
  begin(task: Task): void {
    this.tasks.push(task);
    if (this.tasks.length > MOST_TASKS) this.tasks.shift();
  }
}

// --- internal ---

const MOST_TASKS = 1_000;
const MOST_BYTES = 128 * 2 ** 20;
