/** The law of replay-interleavings.test.ts over 100,000 fresh interleavings: `npx tsx <this file> [runs]`. */
import fc from 'fast-check';

import { attempts, runInterleaving } from './replay-interleavings.ts';

const numRuns = Number(process.argv[2] ?? 100_000);
let steps = 0;
fc.assert(
  fc.property(attempts, (plan) => {
    runInterleaving(plan);
    steps += plan.length;
  }),
  { numRuns },
);
process.stdout.write(`${numRuns} interleavings of ${steps} attempts: no key was settled twice\n`);
