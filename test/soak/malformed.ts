/**
 * `npx tsx test/soak/malformed.ts [REQUESTS] [--seconds N]`, 1,000,000 when left out, or as many as the time allows:
 * requests that are wrong in every way, made from a seed, to all three APIs in one process. Most have a route and a
 * credential that are right and a body, query or header that is not, so that what lies behind is reached. Each is
 * answered, none with an unlabelled 5xx, and memory stays flat. Exit 1 otherwise. With `--write` the table goes to
 * docs/soak.md.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../../conformance/schemas/seed.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { malformedRequests } from './malformed-requests.ts';
import { writeSection } from './page.ts';

const numbers = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const isTimed = process.argv.includes('--seconds');
const seconds = isTimed ? Number(numbers.pop()) : Infinity;
const requests = Number(numbers[0] ?? 1_000_000);

const clock = virtualClock({ auto: false });
const mock = createMock({ clock, journalSize: 100 });
await mock.ready();

/** What is still in use after a collection. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function keptBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Longer than a key is remembered and a job is kept, in milliseconds: what is left after that is never removed. */
const PAST_ALL_WINDOWS = 26 * 3_600_000;
const EVERY = 2_000;

const until = performance.now() + seconds * 1_000;
const next = malformedRequests(seededRandom('malformed 2'));
const statuses = new Map<string, number>();
let unlabelled = 0;
let unanswered = 0;
let sent = 0;
const kept: number[] = [];
for (; sent < requests && performance.now() < until; sent += 1) {
  const gone = new AbortController();
  const handled = mock.handle({ ...next(), signal: gone.signal });
  // A call that waits for the clock does not hang: its caller goes away.
  const leaves = setImmediate(() => {
    gone.abort(new Error('gone'));
  });
  try {
    const { reply, settle } = await handled;
    const status = reply.cut === true ? 'cut' : String(reply.status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (reply.status >= 500 && !isLabelled()) unlabelled += 1;
    if (!(reply.body instanceof Uint8Array)) await reply.body[Symbol.asyncIterator]().return?.();
    settle('delivered');
  } catch {
    unanswered += 1;
  }
  clearImmediate(leaves);
  if (sent % EVERY !== EVERY - 1) continue;
  // Also a turn of the event loop: what waits for it is no memory of the mock.
  await clock.advance(PAST_ALL_WINDOWS);
  if (sent % (EVERY * 5) === EVERY * 5 - 1) kept.push(keptBytes());
}
mock.close();

// Published versions are never removed; there are fewer names than requests in the first tenth.
const [early = 0] = kept.slice(Math.floor(kept.length / 10));
const last = kept.at(-1) ?? 0;
const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));
const counts = [...statuses].sort().map(([status, count]) => `${status}: ${String(count)}`);
process.stdout.write(
  `${writeSection('malformed', [
    [
      'requests',
      'answers by status',
      'unanswered',
      'unlabelled 5xx',
      'kept after a tenth, MB',
      'kept at the end, MB',
    ],
    [
      String(sent),
      counts.join(', '),
      String(unanswered),
      String(unlabelled),
      megabytes(early),
      megabytes(last),
    ],
  ])}\n`,
);
if (unanswered + unlabelled > 0 || last > early * 1.15) process.exitCode = 1;

// --- internal ---

/** Whether the latest answer says what it rests on. */
function isLabelled(): boolean {
  const { trail = [] } = mock.journal.entry(mock.journal.latest) ?? {};
  return trail.some(({ because }) => because !== undefined);
}
