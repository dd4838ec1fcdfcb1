import type { Contract } from '../contract/model.ts';
import type { Handle, Handled } from './call/exchange.ts';
import { ChangeFeed } from './control/stream.ts';
import { startAssembly, type Mock } from './mock.ts';
import type { Assembly } from './assembly.ts';
import { NAMESPACE_HEADER } from './namespace-header.ts';
import type { MockOptions } from './options.ts';
import { realClock, startOfSeeded } from './state/clocks.ts';

/** One mock, as the control API controls it. */
export interface Steerable {
  readonly mock: Mock;
  readonly assembly: Assembly;
  readonly feed: ChangeFeed;
  /** The resources of its control API; if absent, all. */
  readonly only?: readonly string[];
}

/** The initial options of a namespace. */
export interface NamespaceOptions {
  /** As in {@link MockOptions}; default: that of the mock. */
  readonly seed?: string;
  /** Speed of its clock; default: 1. With 0, the clock only moves manually. */
  readonly speed?: number;
}

/**
 * Additional mocks that share only ports and documents with the main one. Each has its own callers, state,
 * scenarios, journal and clock. They are kept in memory.
 */
export class Namespaces {
  readonly #options: MockOptions;
  readonly #main: Steerable;
  readonly #named = new Map<string, Steerable>();
  /** The most recently reloaded documents. */
  #documents: Pick<MockOptions, 'contracts' | 'ownContracts'> = {};

  constructor(options: MockOptions, main: Omit<Steerable, 'feed'>) {
    this.#options = options;
    this.#main = { ...main, feed: new ChangeFeed() };
  }

  names(): readonly string[] {
    return [...this.#named.keys()];
  }

  /** The mock with a name, or the main one without a name; `undefined` if there is none. */
  find(name: string | undefined): Steerable | undefined {
    return name === undefined ? this.#main : this.#named.get(name);
  }

  /**
   * Makes a namespace, and replaces an existing one with this name.
   *
   * @throws {RangeError} for an invalid name or option, and for too many namespaces
   */
  async make(name: string, { seed = this.#options.seed, speed = 1 }: NamespaceOptions = {}): Promise<void> {
    if (!NAME.test(name))
      throw new RangeError(
        `A namespace is named with up to 64 letters, digits, ".", "_" and "-", got ${JSON.stringify(name.slice(0, 80))}.`,
      );
    if (this.#named.size >= MOST && !this.#named.has(name))
      throw new RangeError(`There are ${String(MOST)} namespaces, which is the most. Delete one first.`);
    const clock = realClock(seed === undefined ? undefined : startOfSeeded, speed);
    const { data: _, seed: __, ...shared } = this.#options;
    const { mock, assembly } = startAssembly({
      ...shared,
      ...this.#documents,
      ...(seed === undefined ? {} : { seed }),
      clock,
    });
    const made = { mock, assembly: await assembly, feed: new ChangeFeed() };
    this.remove(name);
    this.#named.set(name, made);
  }

  /** Closes its open calls and removes it; returns whether it existed. */
  remove(name: string): boolean {
    this.#named.get(name)?.mock.close();
    return this.#named.delete(name);
  }

  close(): void {
    for (const name of this.names()) this.remove(name);
  }

  /** Like {@link Mock.reload}, for all of them. If the main mock refuses, nothing has changed. */
  async reload(contracts: readonly Contract[], ownContracts?: readonly Contract[]): Promise<void> {
    await this.#main.mock.reload(contracts, ownContracts);
    const changed = (ownContracts ?? []).map(({ name }) => name);
    const earlier = this.#documents.ownContracts ?? this.#options.ownContracts ?? [];
    const own = [...earlier.filter(({ name }) => !changed.includes(name)), ...(ownContracts ?? [])];
    this.#documents = {
      ...(contracts.length === 0 ? {} : { contracts }),
      ...(own.length === 0 ? {} : { ownContracts: own }),
    };
    for (const { mock } of this.#named.values()) await mock.reload(contracts, ownContracts);
  }

  /** Answers a request in the namespace that its header names. */
  readonly handle: Handle = (raw) => {
    const at = raw.rawHeaders.findIndex(
      // Only header names of the right length are converted to lower case.
      (name, index) => index % 2 === 0 && name.length === WANTED.length && name.toLowerCase() === WANTED,
    );
    const name = at < 0 ? undefined : (raw.rawHeaders[at + 1] ?? '');
    const named = this.find(name);
    return named === undefined ? Promise.resolve(unknownNamespace(name ?? '')) : named.mock.handle(raw);
  };
}

// --- internal ---

const WANTED = NAMESPACE_HEADER.toLowerCase();
const NAME = /^[\w.-]{1,64}$/;
const MOST = 256;

function unknownNamespace(name: string): Handled {
  const text = `Namespace ${JSON.stringify(name.slice(0, 80))} does not exist. PUT /control/v1/namespaces/{name} creates it.\n`;
  return {
    reply: {
      status: 400,
      headers: [['Content-Type', 'text/plain; charset=utf-8']],
      body: new TextEncoder().encode(text),
    },
    settle: () => undefined,
  };
}
