import { STATUS_CODES } from 'node:http';
import { visibleJson } from '../../contract/index.ts';
import { headerOf } from '../exchanges/exchange.ts';
import { originOf } from '../replay/repeat.ts';
import type { Report, StoredBody, StoredExchange } from '../verdicts/report.ts';

/** All exchanges as an HTTP archive (HAR 1.2), which browsers and proxies open. Secrets are masked as everywhere. */
export function renderHar(report: Report): string {
  const start = Date.parse(report.startedAt);
  const log = {
    version: '1.2',
    creator: { name: report.tool.name, version: report.tool.version },
    comment: `${report.target.baseUrl}, seed ${report.seed}`,
    entries: report.exchanges.map((exchange) => entry(exchange, start, report)),
  };
  return `${visibleJson({ log }, 1)}\n`;
}

// --- internal ---

type Headers = readonly (readonly [name: string, value: string])[];

function entry(exchange: StoredExchange, start: number, { target }: Report): object {
  const { id, scenario, startedAtMs, durationMs, request, answer, failure } = exchange;
  return {
    startedDateTime: new Date(start + startedAtMs).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: `${originOf(exchange, target)}${request.target}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.target),
      ...(request.body === undefined
        ? {}
        : {
            postData: {
              mimeType: headerOf(request.headers, 'content-type') ?? '',
              text: request.body.text,
              ...(request.body.cut ? { comment: cutNote(request.body) } : {}),
            },
          }),
      headersSize: -1,
      bodySize: request.body?.bytes ?? 0,
    },
    response: {
      // HAR has no other value for "no answer".
      status: answer?.status ?? 0,
      statusText: STATUS_CODES[answer?.status ?? 0] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(answer?.headers ?? []),
      content: contentOf(answer?.headers ?? [], answer?.body),
      redirectURL: headerOf(answer?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: answer?.body?.bytes ?? 0,
      ...(answer === undefined ? { comment: failure ?? 'no answer' } : {}),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `${id} ${scenario}`,
  };
}

function pairs(headers: Headers): readonly object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(target: string): readonly object[] {
  const at = target.indexOf('?');
  if (at < 0) return [];
  return [...new URLSearchParams(target.slice(at + 1))].map(([name, value]) => ({ name, value }));
}

function contentOf(headers: Headers, body: StoredBody | undefined): object {
  const mimeType = headerOf(headers, 'content-type') ?? '';
  if (body === undefined) return { size: 0, mimeType };
  return {
    size: body.bytes,
    mimeType,
    text: body.text,
    ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
    ...(body.cut ? { comment: cutNote(body) } : {}),
  };
}

function cutNote({ bytes }: StoredBody): string {
  return `cut; it had ${bytes} bytes`;
}
