import {
  createMock,
  virtualClock,
  type Mock,
  type MockOptions,
  type SteerableClock,
} from '../../../../mock/index.ts';

export const key = 'service-mock-ok';
export const token = 'pat-mock-ok';
export const versions = '/publishers/acme/nodes/acme-upscaler/versions';
export const enhancer = '/proxy/northwind/v1/ai/skin-enhancer/creative';

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as an object; empty if it is not an object. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Sent {
  /** The value of `Authorization`; `null` for none. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** A registry without a socket, on a stopped clock. */
export interface RegistryMock {
  readonly mock: Mock;
  readonly clock: SteerableClock;
  /** Sends to a path, or to an address that the mock gave. Text goes out as it is, anything else as JSON. */
  readonly send: (target: string, body: unknown, sent?: Sent) => Promise<Got>;
  /** Publishes a version of a node of one's own. */
  readonly publish: (version: unknown, sent?: Sent & { readonly to?: string }) => Promise<Got>;
}

export async function registryMock(options: MockOptions = {}): Promise<RegistryMock> {
  const clock = virtualClock({ auto: false });
  const mock = createMock({ apis: ['registry'], clock, ...options });
  await mock.ready();
  const send: RegistryMock['send'] = async (target, body, sent = {}) => {
    const { authorization = `Bearer ${key}`, headers = {}, method = 'POST' } = sent;
    const response = await mock.fetch(
      new Request(new URL(target, 'http://mock.example'), {
        method,
        headers: {
          'content-type': 'application/json',
          ...(authorization === null ? {} : { authorization }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    return got(response);
  };
  return {
    mock,
    clock,
    send,
    publish: (version, { to = versions, ...sent } = {}) => send(to, publication({ version }), sent),
  };
}

/** A good publication; a member that is `undefined` is left out. */
export function publication(
  nodeVersion: Readonly<Record<string, unknown>> = { version: '1.0.0' },
  rest: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { personal_access_token: token, node: { name: 'Upscaler' }, node_version: nodeVersion, ...rest };
}

export async function got(response: Response): Promise<Got> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: objectIn(text) };
}

/** What an error says, as `error: message`. */
export function errorOf({ status, body }: Got): string {
  return `${String(status)} ${String(body['error'])}: ${String(body['message'])}`;
}

// --- internal ---

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
