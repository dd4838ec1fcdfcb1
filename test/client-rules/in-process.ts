import {
  createMock,
  virtualClock,
  type Mock,
  type MockOptions,
  type SteerableClock,
} from '../../mock/index.ts';
import { ApiError, type ConnectionOptions } from '../../generated/router/index.ts';

/** One request as the mock got it, and the status of what it answered. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly status: number;
}

export interface World {
  readonly mock: Mock;
  readonly clock: SteerableClock;
  readonly sent: Sent[];
  /** What a generated client takes to talk to this mock; time is the mock's own. */
  readonly connection: Pick<ConnectionOptions, 'baseUrl' | 'fetch' | 'clock' | 'random'>;
}

export const ORIGIN = 'http://mock.test';

/** The code between client and mock; `go` passes the request on to the mock. */
export type Between = (request: Request, go: (request: Request) => Promise<Response>) => Promise<Response>;

/** A mock and a client's way to it without a socket, under one clock that moves by itself while everybody waits. */
export function world(options: MockOptions = {}, between: Between = (request, go) => go(request)): World {
  const clock = virtualClock();
  const mock = createMock({ ...options, clock });
  const sent: Sent[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    return between(request, async (onward) => {
      const { method, headers } = onward;
      const response = await mock.fetch(onward);
      sent.push({ method, url: onward.url, headers, status: response.status });
      return response;
    });
  };
  return { mock, clock, sent, connection: { baseUrl: ORIGIN, fetch, clock, random: () => 0.5 } };
}

export const mockModel = (model: string, body = {}) => ({ provider: 'mock', model, body });

/** The error of an answer that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('no answer that is an error', { cause: error });
  return error;
}
