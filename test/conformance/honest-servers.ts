import { judgeOf } from '../../cli/conform/self-test.ts';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report } from '../../conformance/index.ts';
import { loadOwnContract, type Contract, type OwnContractName } from '../../contract/index.ts';
import { startReplica } from '../../examples/reference-server/replica.ts';
import { startMock } from '../../mock/index.ts';
import { notesContract } from '../engine/notes.ts';
import { startSecondServer } from '../fixtures/second-server/index.ts';
import type { SecondServerOptions } from '../fixtures/second-server/index.ts';
import { bookingsContract } from '../mock/bookings.ts';
import { clubsContract } from '../mock/clubs.ts';
import { codedRooms } from '../mock/coded-rooms.ts';
import { hallsContract } from '../mock/halls.ts';
import { helpDeskContract } from '../mock/help-desk.ts';
import { invoicesContract } from '../mock/invoices.ts';
import { papersContract } from '../mock/papers.ts';
import { printsContract } from '../mock/prints.ts';
import { shelvesContract } from '../mock/shelves.ts';
import { stockContract } from '../mock/stock.ts';
import { vehiclesContract } from '../mock/vehicles.ts';
import { everyKind } from './every-kind.ts';
import { leapingClock } from './leaping-clock.ts';

/** A server that keeps its contract: what the suite holds against it is a fault of the suite. */
export interface HonestServer {
  readonly name: string;
  /** Starts it, judges it in real time, and stops it. */
  readonly judge: (seed: number) => Promise<Report>;
}

type JudgeOptions = Partial<ConformanceOptions>;

/** Judges the second server, whose days pass at once. */
export async function judgeSecondServer(
  served: Omit<SecondServerOptions, 'now' | 'deadlineMs'>,
  options: JudgeOptions & { readonly apis?: readonly OwnContractName[] } = {},
): Promise<Report> {
  const clock = leapingClock();
  const server = await startSecondServer({ deadlineMs: 600, now: () => clock.now(), ...served });
  const { apis = ['router', 'registry', 'jobs'], ...more } = options;
  try {
    return await judged(server, apis, { clock, ...more });
  } finally {
    await server.stop();
  }
}

/** Judges the server on generated stubs, whose days pass at once, and gives what it reported of itself. */
export async function judgeReferenceServer(
  options: JudgeOptions = {},
): Promise<{ readonly report: Report; readonly findings: readonly unknown[] }> {
  const clock = leapingClock();
  const findings: unknown[] = [];
  const replica = await startReplica({
    deadlineMs: 600,
    now: () => clock.now(),
    onFinding: (finding) => {
      if (!['started', 'answered', 'ended'].includes(finding.kind)) findings.push(finding);
    },
  });
  try {
    return { report: await judged(replica, ['router', 'jobs'], { clock, ...options }), findings };
  } finally {
    await replica.stop();
  }
}

export const honestServers: readonly HonestServer[] = [
  { name: 'second server', judge: (seed) => judgeSecondServer({}, { seed }) },
  ...(['self-hosted', 'demo'] as const).map((surface) => ({
    name: `second server, jobs of ${surface}`,
    judge: (seed: number) => judgeSecondServer({ surface }, { seed, apis: ['jobs'] }),
  })),
  {
    name: 'server on generated stubs',
    judge: async (seed) => (await judgeReferenceServer({ seed })).report,
  },
  ...(['faithful', 'legal-but-odd'] as const).flatMap((profile) =>
    ([['router', 'registry'], ['jobs']] as const).map((apis) => ({
      name: `mock of ${apis.join(' and ')}, ${profile}`,
      judge: (seed: number) => judgeMockInRealTime(apis, profile, seed),
    })),
  ),
  ...Object.entries({
    'of every kind of policy': everyKind,
    'of notes': () => notesContract(),
    'of bookings': bookingsContract,
    'of clubs': clubsContract,
    'of rooms with codes': codedRooms,
    'of halls': hallsContract,
    'of a help desk': helpDeskContract,
    'of invoices': invoicesContract,
    'of papers': papersContract,
    'of prints': printsContract,
    'of shelves': shelvesContract,
    'of stock': stockContract,
    'of vehicles': vehiclesContract,
  }).map(([name, contract]: [string, () => Promise<Contract>]) => ({
    name: `mock ${name}`,
    judge: async () => judgeOf(await contract(), undefined)([]),
  })),
];

// --- internal ---

/** Judges a mock on real sockets, without the rules that take hours. */
async function judgeMockInRealTime(
  apis: readonly OwnContractName[],
  profile: 'faithful' | 'legal-but-odd',
  seed: number,
): Promise<Report> {
  const mock = await startMock({ apis, profile, deadlineMs: 2_000, controlPort: false });
  try {
    const allow = permissions.filter((permission) => permission !== 'long');
    return await judged({ url: mock.url, fixtures: mock.fixtures() }, apis, { allow, seed });
  } finally {
    await mock.stop();
  }
}

async function judged(
  { url, fixtures }: { readonly url: string; readonly fixtures: object },
  apis: readonly OwnContractName[],
  options: JudgeOptions,
): Promise<Report> {
  const read = readFixtures(JSON.stringify(fixtures), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: await Promise.all(apis.map((name) => loadOwnContract(name))),
    ...{ baseUrl: url, fixtures: read.fixtures, allow: permissions, seed: 1 },
    ...options,
  });
}
