import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One exchange as it went over the wire. */
export interface Exchange {
  readonly method: string;
  /** Path and query, undecoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly answerHeaders: IncomingHttpHeaders;
  readonly answer: string;
}

export interface Recorder {
  readonly url: string;
  readonly exchanges: Exchange[];
  stop(): Promise<void>;
}

/**
 * A proxy in front of a server that records both sides.
 *
 * @param rewrite puts another body in the place of the server's
 */
export async function startRecorder(
  upstream: string,
  rewrite: (answer: string) => string = (answer) => answer,
): Promise<Recorder> {
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url: target = '/', headers } = request;
    const { hostname, port } = new URL(upstream);
    const onward = ask({ hostname, port, method, path: target, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => response.destroy());
      answer.on('end', () => {
        const body = Buffer.from(rewrite(Buffer.concat(chunks).toString('utf8')));
        const status = answer.statusCode ?? 0;
        const answerHeaders = answer.headers;
        exchanges.push({ method, target, headers, status, answerHeaders, answer: body.toString('utf8') });
        const { 'transfer-encoding': _, ...kept } = answerHeaders;
        response.writeHead(status, { ...kept, 'content-length': body.length });
        response.end(body);
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    exchanges,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
