import { expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { judgeLab, type Lab } from './lab.ts';

/** All that a sheet can state of a stream. */
const ALL = ['stateFirst: true', 'thing: Assay', 'namedJson: true', 'terminalLast: true', 'liveOnly: true'];
const FEW = ['terminalLast: true', 'liveOnly: true'];

let reads = 0;

test.each<[string, Lab, readonly string[]]>([
  ['keeps all that can be stated', { stream: { progressMs: 400 } }, ALL],
  ['numbers its assays', {}, []],
  [
    'does not escape its links',
    { id: (n) => `A:${String(n)}@lab`, link: (path, id) => `/assays/${String(id)}${path}` },
    [],
  ],
  [
    'escapes its links in small letters',
    {
      id: (n) => `a/${String(n)}`,
      link: (path, id) => `https://lab.example/v1/assays/${encodeURIComponent(id).toLowerCase()}${path}?x=1`,
    },
    [],
  ],
  ['ends its links with a slash', { link: (path, id) => `/assays/${String(id)}${path}/` }, []],
  [
    'has a link that leads nowhere yet',
    { shown: (assay) => ({ ...assay, links: { ...(assay['links'] as object), invoice: null } }) },
    [],
  ],
  ['has times of whole seconds', { time: (ms) => new Date(ms).toISOString().replace(/\.\d+/, '') }, []],
  [
    'has times of two zones',
    {
      time: (ms, name) =>
        name === 'begun'
          ? new Date(ms - 8 * 3_600_000).toISOString().replace('Z', '-08:00')
          : new Date(ms).toISOString(),
    },
    [],
  ],
  ['knows the day of a report only', { reported: 'date' }, []],
  ['keeps what it has until the end of the day', { keep: 'date', keepMs: 60_000 }, []],
  [
    'writes the time of a report in two ways',
    {
      shown: (assay) => {
        const { reported_on: time } = assay;
        const isShort = typeof time === 'string' && (reads += 1) % 2 === 0;
        return isShort ? { ...assay, reported_on: time.replace(/\.\d+Z/, '+00:00') } : assay;
      },
    },
    [],
  ],
  [
    'shows no states in lists',
    { shown: ({ phase, ...assay }, by) => (by === 'list' ? assay : { phase, ...assay }) },
    [],
  ],
  [
    'leaves members out',
    {
      shown: (assay) => Object.fromEntries(Object.entries(assay).filter(([, value]) => value !== null)),
    },
    [],
  ],
  ['does its work at once', { queueMs: 1, usualMs: 1, stream: {} }, ALL],
  ['forgets at once what has ended', { queueMs: 1, usualMs: 1, goneMs: 1, stream: { afterEnd: 404 } }, []],
  [
    'forgets soon what has ended, and does not say when',
    { goneMs: 800, stream: { afterEnd: 404 }, shown: ({ keep_until: _, ...assay }) => assay },
    [],
  ],
  ['withdraws some time after its answer', { withdrawsAfterMs: 2500, queueMs: 60_000 }, []],
  ['has one machine', { isOneByOne: true, slowMs: 9000, stream: { isSilentAtFirst: true } }, []],
  ['is slow, and tells news only', { slowMs: 40_000, stream: { isSilentAtFirst: true } }, FEW],
  ['ends when streams are no longer watched', { slowMs: 21_500, stream: { progressMs: 500 } }, ALL],
  [
    'has nothing to tell of what has ended',
    { stream: { afterEnd: 'nothing', isSilentAtFirst: true, progressMs: 300 } },
    FEW,
  ],
  ['answers 204 for streams of what has ended', { stream: { afterEnd: 204 } }, []],
  ['refuses streams of what has ended', { stream: { afterEnd: 404 } }, []],
  [
    'looks every two seconds, first for progress, and ends streams at its next look',
    { stream: { everyMs: 2000, progressMs: 400, progressFirst: true, endsNextTurn: true } },
    ALL,
  ],
  [
    'looks every two seconds, and tells news only',
    { stream: { everyMs: 2000, isSilentAtFirst: true, endsNextTurn: true } },
    [],
  ],
  ['looks every five seconds', { stream: { everyMs: 5000 } }, []],
  ['has two streams at once, and no more', { stream: { most: 2, mostStatus: 409 } }, []],
  [
    'begins with a mark and a comment, says all twice, and shows states alone',
    { stream: { before: '\ufeff: hello\n\nretry: 500\n\n', repeats: true, statusOnly: true } },
    ['stateFirst: true', 'terminalLast: true'],
  ],
  ['replies to notes, which have no life', { noteShown: (note) => ({ ...note, reply: 'seen' }) }, []],
  ['gives a receipt of notes', { noteShown: ({ id }) => ({ id }) }, []],
])('a laboratory that %s keeps its contract', async (_, lab, facts) => {
  const { report, calls } = await judgeLab(lab, facts);
  const wrong = report.rules.filter((rule) => isBroken(rule) || rule.verdict === 'error');
  expect(wrong.map(({ id, expected, observed }) => [id, expected, observed])).toEqual([]);
  // What it makes it withdraws, with a call for each thing that has not ended by then.
  expect(calls).toBeLessThan(460);
});
