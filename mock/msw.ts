import { http, HttpResponse, type RequestHandler } from 'msw';
import { isLostConnection } from './fetch.ts';
import type { Mock } from './mock.ts';

/**
 * Handlers for Mock Service Worker in Node: the mock answers every request below an address, including
 * streams and cut connections. A browser's worker cannot use them, because the mock needs Node.
 *
 * @param baseUrl the address that the code under test calls, such as `https://api.example.com/base`; `*` for
 * every address
 * @throws {TypeError} for arguments of another type
 * @throws {RangeError} for a path whose length a `*` leaves undefined
 */
export function mockHandlers(mock: Pick<Mock, 'fetchBelow'>, baseUrl: string): RequestHandler[] {
  // Tests in JavaScript have no compiler to report this.
  if (typeof (mock as Partial<Mock> | undefined)?.fetchBelow !== 'function')
    throw new TypeError('mockHandlers: the first argument must be a mock, such as createMock().');
  if (typeof (baseUrl as unknown) !== 'string')
    throw new TypeError(
      'mockHandlers: the second argument must be the address that the code under test calls, or "*".',
    );
  const address = baseUrl.replace(/(?<!\/)\/+$/, '');
  const segments = address
    .replace(/^(\*|[^/]*:\/\/[^/]*)/, '')
    .split('/')
    .slice(1);
  if (segments.some((segment) => segment.includes('*')))
    throw new RangeError(`mockHandlers: the path of ${JSON.stringify(baseUrl)} must not contain "*".`);
  return [
    http.all(address === '*' ? '*' : `${address}/*`, async ({ request }) => {
      const { origin, pathname } = new URL(request.url);
      const path = pathname
        .split('/')
        .slice(0, segments.length + 1)
        .join('/');
      try {
        return await mock.fetchBelow(origin + path)(request);
      } catch (error) {
        if (isLostConnection(error) || request.signal.aborted) return HttpResponse.error();
        // Anything else is a fault, and Mock Service Worker reports it.
        throw error;
      }
    }),
  ];
}
