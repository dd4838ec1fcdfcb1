/** For Playwright tests: a mock for each worker, behind the ports of one running mock. */
import { test as base } from '@playwright/test';
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';
import type { ControlState, ForcedScenario, JournalEntry, ScenarioToForce } from '../mock/index.ts';
import { NAMESPACE_HEADER } from '../mock/namespace-header.ts';

/** How tests reach the mock, and its initial state in each test. */
export interface PlaywrightMockOptions {
  /**
   * The address of the inspector, as the mock prints it. Default: `$TALLYSTICK_MOCK_CONTROL_URL`, else
   * `http://localhost:4711`.
   */
  readonly controlUrl?: string;
  /** The path below which pages call the APIs, as given to the Vite plugin; default: none. */
  readonly below?: string;
  /** With a seed, ids and generated data are the same in each run. Default: the seed of the mock. */
  readonly seed?: string;
  /** The speed of a test's clock: 1 by default, 0 for a clock that only `advance` moves. */
  readonly speed?: number;
}

/** The mock of one test, isolated from all other tests. */
export interface TestMock {
  /** The address of the API. */
  readonly url: string;
  /**
   * Headers that name this mock, for requests that are not sent by a page, such as those of a server that
   * renders pages.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The global `fetch` with these headers; a path is relative to `url`. */
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
  /** Forces a scenario on the next calls, such as `{ name: 'unavailable', times: 1 }`. */
  readonly force: (scenario: ScenarioToForce) => Promise<void>;
  /** The calls that were answered, oldest first; `search` as in the inspector, such as `status:5xx op:runModel`. */
  readonly journal: (search?: string) => Promise<readonly JournalEntry[]>;
  /** Advances the clock: milliseconds, or an ISO 8601 duration such as `PT25H`. */
  readonly advance: (duration: number | string) => Promise<void>;
  /** Resets all state, as happens before each test. */
  readonly reset: () => Promise<void>;
  /** Any call of the control API, such as `control('GET', 'jobs')`. */
  readonly control: <Shape>(method: string, path: string, body?: unknown) => Promise<Shape>;
}

/**
 * A `test` whose pages call a separate mock: `const test = withMock(); test('…', async ({ page, mock }) => …)`. The
 * mock has to run, for example by `webServer` of Playwright's configuration. Each worker gets a namespace in it,
 * which is recreated before each test.
 */
export function withMock(
  options: PlaywrightMockOptions = {},
): TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & { readonly mock: TestMock },
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & { readonly workerMock: WorkerMock }
> {
  return base.extend<{ mock: TestMock }, { workerMock: WorkerMock }>({
    workerMock: [
      async ({}, use, { parallelIndex }) => {
        // Workers of one run have the same parent: two runs can share a mock.
        const worker = await WorkerMock.make(
          `worker-${String(process.ppid)}-${String(parallelIndex)}`,
          options,
        );
        await use(worker);
        await worker.remove();
      },
      { scope: 'worker' },
    ],
    mock: async ({ workerMock }, use) => {
      await workerMock.reset();
      await use(workerMock);
    },
    context: async ({ context, mock, workerMock, baseURL }, use) => {
      await context.route(
        (url) => workerMock.isCalledAt(url, baseURL),
        (route) => route.fallback({ headers: { ...route.request().headers(), ...mock.headers } }),
      );
      await use(context);
    },
  });
}

// --- internal ---

const USUAL = 'http://localhost:4711';

/** The namespace of one worker. */
class WorkerMock implements TestMock {
  readonly headers: TestMock['headers'];
  readonly #name: string;
  readonly #options: PlaywrightMockOptions;
  #state: ControlState | undefined;

  constructor(name: string, options: PlaywrightMockOptions) {
    this.#name = name;
    this.#options = options;
    this.headers = { [NAMESPACE_HEADER]: name };
  }

  static async make(name: string, options: PlaywrightMockOptions): Promise<WorkerMock> {
    const worker = new WorkerMock(name, options);
    await worker.reset();
    worker.#state = await worker.control<ControlState>('GET', 'state');
    return worker;
  }

  get url(): string {
    return this.#state?.url ?? '';
  }

  readonly fetch: TestMock['fetch'] = (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(this.headers)) headers.set(name, value);
    return fetch(new URL(input, `${this.url}/`), { ...init, headers });
  };

  readonly force: TestMock['force'] = async (scenario) => {
    await this.control<readonly ForcedScenario[]>('POST', 'scenarios', scenario);
  };

  readonly journal: TestMock['journal'] = async (search = '') => {
    const query = new URLSearchParams({ search }).toString();
    const page = await this.control<{ readonly entries: readonly JournalEntry[] }>('GET', `journal?${query}`);
    return page.entries;
  };

  readonly advance: TestMock['advance'] = async (duration) => {
    await this.control('POST', 'clock', { advance: duration });
  };

  readonly reset: TestMock['reset'] = async () => {
    const { seed, speed } = this.#options;
    await this.#ask('PUT', `namespaces/${this.#name}`, {}, { seed, speed });
  };

  readonly control: TestMock['control'] = <Shape>(method: string, path: string, body?: unknown) =>
    this.#ask(method, path, this.headers, body) as Promise<Shape>;

  remove(): Promise<unknown> {
    return this.#ask('DELETE', `namespaces/${this.#name}`, {});
  }

  /** Whether a request of a page goes to the mock: at the mock's port, or below the address of the page. */
  isCalledAt({ origin, hostname, pathname }: URL, baseURL: string | undefined): boolean {
    const { url, apis = [] } = this.#state ?? {};
    if (url !== undefined && sameOrigin(origin, url)) return true;
    const isPage =
      LOOPBACK.test(hostname) ||
      (baseURL !== undefined && URL.canParse(baseURL) && new URL(baseURL).origin === origin);
    const { below = '' } = this.#options;
    return (
      isPage &&
      apis
        .flatMap(({ prefixes }) => prefixes)
        .some((prefix) => below + prefix !== '' && `${pathname}/`.startsWith(`${below}${prefix}/`))
    );
  }

  async #ask(method: string, path: string, headers: TestMock['headers'], body?: unknown): Promise<unknown> {
    const given = new URL(this.#options.controlUrl ?? process.env['TALLYSTICK_MOCK_CONTROL_URL'] ?? USUAL);
    const token = given.searchParams.get('token');
    const response = await fetch(new URL(`/control/v1/${path}`, given), {
      method,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(
        `No mock answers at ${given.origin}. Start one with webServer in playwright.config.ts, or give withMock its controlUrl.`,
        { cause },
      );
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error((answer as { readonly error: string }).error);
    return answer;
  }
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]|.*\.localhost)$/;

/** `localhost` and its address are equivalent. */
function sameOrigin(origin: string, url: string): boolean {
  const [one, other] = [new URL(origin), new URL(url)];
  const isSameHost =
    one.hostname === other.hostname || (LOOPBACK.test(one.hostname) && LOOPBACK.test(other.hostname));
  return isSameHost && one.port === other.port && one.protocol === other.protocol;
}
