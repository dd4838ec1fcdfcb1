/**
 * `npm run soak -- chaos [--calls N] [--adapter NAME]`: 100,000 calls of every kind against the four adapters, in rounds, each with a shutdown
 * under it. Nothing goes unanswered that could be answered, no rejection goes unhandled, and memory does not grow with the calls.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { chaos } from '../server/chaos.ts';
import { adapters } from '../server/served-by.ts';
import { pause } from '../until.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const at = process.argv.indexOf('--calls');
const calls = at < 0 ? 100_000 : Number(process.argv[at + 1]);
const ROUNDS = 5;
/** More than this at the end of the last round than at the end of the second one is a leak. */
const MOST_GROWTH_BYTES = 16 * 1_048_576;

async function heap(): Promise<number> {
  // What sockets and timers hold is let go a little later.
  for (let turn = 0; turn < 3; turn += 1) {
    await pause(200);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let isGood = true;
const only = process.argv.indexOf('--adapter');
for (const [name, listen] of adapters) {
  if (only >= 0 && process.argv[only + 1] !== name) continue;
  const each = Math.ceil(calls / adapters.length / ROUNDS);
  const heaps: number[] = [];
  let answered = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const outcome = await chaos(listen, each);
    const { unanswered, unhandled, open, left } = outcome;
    answered += [...outcome.answered.values()].reduce((sum, count) => sum + count, 0);
    if (unanswered.length + unhandled.length + open + left > 0) {
      isGood = false;
      process.stdout.write(
        `✖ ${name}: ${JSON.stringify({ unanswered, unhandled: unhandled.map(String), open, left })}\n`,
      );
    }
    heaps.push(await heap());
  }
  const growth = (heaps.at(-1) ?? 0) - (heaps[1] ?? 0);
  if (growth > MOST_GROWTH_BYTES) isGood = false;
  const grown = `memory ${(growth / 1_048_576).toFixed(1)} MiB from round 2 to ${String(ROUNDS)}`;
  process.stdout.write(`${name}: ${String(each * ROUNDS)} calls, ${String(answered)} answered, ${grown}\n`);
}
process.exitCode = isGood ? 0 : 1;
