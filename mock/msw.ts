import { http, HttpResponse, type RequestHandler } from 'msw';
import type { Mock } from './mock.ts';

/**
 * Handlers for Mock Service Worker in Node: every request below an address is answered by a mock, streams and cut
 * connections included. A browser's worker cannot use them: the mock needs Node.
 *
 * @param baseUrl what the code under test calls, such as `https://api.example.com`; `*` for every address
 */
export function mockHandlers(mock: Pick<Mock, 'fetch'>, baseUrl: string): RequestHandler[] {
  const address = baseUrl === '*' ? '*' : `${baseUrl.replace(/\/+$/, '')}/*`;
  return [
    http.all(address, async ({ request }) => {
      try {
        return await mock.fetch(request);
      } catch (error) {
        // What a mock cuts looks like a network that failed.
        if (error instanceof TypeError) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}
