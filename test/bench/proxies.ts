import { proxyCosts } from './proxy-costs.ts';
import { compared, microseconds, type Row } from './rows.ts';
import { bin, nodePipe, peer, prismProxy, probe, seconds } from './subjects.ts';

/** What passing costs the proxy, beside a proxy that judges nothing. */
export async function proxies(): Promise<readonly Row[]> {
  const data = [{ id: 'acme/echo-1', provider: 'acme', model: 'echo-1' }];
  const answer = JSON.stringify({ data, has_more: false, limit: 20 });
  const { ours, pipe, prism, nginx } = await proxyCosts({
    ...{ bin, upstream: peer('node-http'), probe, seconds, answer },
    ...{ prism: prismProxy, pipe: nodePipe },
  });
  const row = (what: string, name: 'call' | 'upload' | 'stream'): readonly Row[] =>
    compared(
      `proxy, ${what}`,
      ours[name],
      [
        ...(name === 'call'
          ? [{ name: "Prism's proxy, silent", figure: prism.call, bar: '1.7 x', aim: '2.5 x' }]
          : []),
        {
          ...{ name: PIPE, figure: pipe[name] },
          ...(name === 'call' ? { bar: '0.43 x' } : {}),
        },
        ...(nginx === undefined ? [] : [{ name: 'nginx, which judges nothing', figure: nginx[name] }]),
      ],
      microseconds,
    );
  return [
    ...row('each call', 'call'),
    ...(Number.isNaN(ours.forwarding)
      ? []
      : compared(
          'proxy, each call, in the thread that forwards',
          ours.forwarding,
          [{ name: PIPE, figure: pipe.forwarding, bar: '0.67 x' }],
          microseconds,
        )),
    ...row('each upload of 10 MB', 'upload'),
    ...row('each of 1,000 streams, a second', 'stream'),
  ];
}

// --- internal ---

const PIPE = 'a pipe in node:http, which judges nothing';
