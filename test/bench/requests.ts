import { cpuPerRequest, startServer, type Load, type Server } from './measure.ts';
import { compared, microseconds, milliseconds, type Peer, type Row } from './rows.ts';
import { document, headers, ourMock, peer, prismServer, probe, seconds } from './subjects.ts';

/** What a request costs the mock and others, and how long these take to start. */
export async function requests(): Promise<readonly Row[]> {
  const ours = await ourMock(['--quiet']);
  const ANSWER = await fetch(`${ours.url}/v1/models`, { headers }).then((response) => response.text());
  const peers: readonly RivalServer[] = [
    {
      name: 'prism CLI',
      start: () => prismServer(document, 'info'),
      goals: {
        list: { bar: '8.2 x', aim: '10 x' },
        lists: { bar: '6 x', aim: '10 x' },
        runs: { bar: '5 x', aim: '8 x' },
      },
    },
    { name: 'tallystick, telling each exchange', start: () => ourMock([]) },
    {
      name: 'prism CLI, silent',
      start: () => prismServer(document, 'silent'),
      goals: { lists: { bar: '3 x', aim: '5 x' }, runs: { bar: '2.5 x', aim: '4 x' } },
    },
    {
      name: 'fastify',
      start: () => startServer([peer('fastify')], probe, { ANSWER }),
      goals: { lists: { aim: '0.5 x' } },
    },
    { name: 'node:http', start: () => startServer([peer('node-http')], probe, { ANSWER }) },
  ];
  const rivals: Record<LoadName, Peer[]> = { list: [], lists: [], run: [], runs: [] };
  const starts: Peer[] = [];
  const measured = await allLoads('tallystick', ours);
  for (const { name, start, goals = {} } of peers) {
    const server = await start();
    const figures = await allLoads(name, server);
    for (const load of LOAD_NAMES) rivals[load].push({ name, figure: figures[load], ...goals[load] });
    if (name === 'prism CLI')
      starts.push({ name: 'prism CLI, one document', figure: server.millisecondsToReady, bar: '2 x' });
  }
  return [
    ...LOAD_NAMES.flatMap((load) => compared(TITLES[load], measured[load], rivals[load], microseconds)),
    ...compared('mock, start to ready with three documents', ours.millisecondsToReady, starts, milliseconds),
  ];
}

// --- internal ---

interface RivalServer {
  readonly name: string;
  readonly start: () => Promise<Server>;
  readonly goals?: Partial<Record<LoadName, Pick<Peer, 'bar' | 'aim'>>>;
}

const list: Load = { path: '/v1/models', method: 'GET', headers, seconds };
const run: Load = { path: '/v1/models/mock/ok', method: 'POST', headers, body: '{"prompt":"x"}', seconds };

const LOADS = {
  list,
  run,
  lists: { ...list, each: (number) => ({ path: `/v1/models?number=${String(number)}` }) },
  runs: { ...run, each: (number) => ({ body: `{"prompt":"${String(number)}"}` }) },
} as const satisfies Record<string, Load>;

type LoadName = keyof typeof LOADS;

const TITLES: Readonly<Record<LoadName, string>> = {
  list: 'mock, GET list, equal requests',
  lists: 'mock, GET list, no two requests equal',
  run: 'mock, POST run, equal requests',
  runs: 'mock, POST run, no two bodies equal',
};

const LOAD_NAMES = ['list', 'lists', 'run', 'runs'] as const;

async function allLoads(name: string, server: Server): Promise<Record<LoadName, number>> {
  const figures = { list: 0, run: 0, lists: 0, runs: 0 };
  let bad = 0;
  for (const load of ['list', 'run', 'lists', 'runs'] as const) {
    const measured = await cpuPerRequest(server, LOADS[load]);
    figures[load] = measured.microseconds;
    bad += measured.bad;
  }
  await server.stop();
  if (bad > 0)
    console.error(`▲ ${name} answered ${bad} requests with another status than 2xx: its figures mean little`);
  return figures;
}
