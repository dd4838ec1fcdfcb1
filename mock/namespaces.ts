import type { Contract } from '../contract/model.ts';
import type { Handle, Handled } from './call/exchange.ts';
import { ChangeFeed } from './control/stream.ts';
import { startAssembly, type Mock } from './mock.ts';
import type { Assembly } from './assembly.ts';
import { NAMESPACE_HEADER } from './namespace-header.ts';
import type { MockOptions } from './options.ts';
import { realClock, startOfSeeded } from './state/clock.ts';

/** One mock as the control API steers it. */
export interface Steerable {
  readonly mock: Mock;
  readonly assembly: Assembly;
  readonly feed: ChangeFeed;
  /** The resources of the control API that it has; all of them where this is absent. */
  readonly only?: readonly string[];
}

/** What a namespace may have of its own from its beginning. */
export interface NamespaceOptions {
  /** As of {@link MockOptions}; that of the mock when left out. */
  readonly seed?: string;
  /** Speed of its clock: 1 when left out, 0 for a clock that is only advanced by hand. */
  readonly speed?: number;
}

/**
 * Additional mocks that share only ports and documents with the main one. Each has its own callers, state, scenarios,
 * journal and clock. They are kept in memory.
 */
export class Namespaces {
  readonly #options: MockOptions;
  readonly #main: Steerable;
  readonly #named = new Map<string, Steerable>();
  /** Documents as they were reloaded last. */
  #documents: Pick<MockOptions, 'contracts' | 'ownContracts'> = {};

  constructor(options: MockOptions, main: Omit<Steerable, 'feed'>) {
    this.#options = options;
    this.#main = { ...main, feed: new ChangeFeed() };
  }

  names(): readonly string[] {
    return [...this.#named.keys()];
  }

  /** The mock of a name, the main one without a name; `undefined` where there is none. */
  find(name: string | undefined): Steerable | undefined {
    return name === undefined ? this.#main : this.#named.get(name);
  }

  /**
   * Makes a namespace, in the place of one of this name.
   *
   * @throws {RangeError} for a name or an option that cannot be, and for one namespace too many
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

  /** Cuts what is open in it; says whether there was one. */
  remove(name: string): boolean {
    this.#named.get(name)?.mock.close();
    return this.#named.delete(name);
  }

  close(): void {
    for (const name of this.names()) this.remove(name);
  }

  /** As {@link Mock.reload}, for all of them. When the main mock refuses, nothing has changed. */
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

  /** Answers a request by the namespace that its header names. */
  readonly handle: Handle = (raw) => {
    const at = raw.rawHeaders.findIndex(
      // Of all names only those that may be it are changed to small letters.
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
