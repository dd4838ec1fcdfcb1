/** One subject with one shape, in a process of its own: `run-one.ts SUBJECT SHAPE BYTES…`, told over IPC. */
import { subjects } from './subjects.ts';

/** What became of one size. */
export interface Measured {
  readonly bytes: number;
  readonly milliseconds: number;
  readonly peakBytes: number;
  readonly answer: string;
  readonly crashed?: boolean;
}

const [name, shape = '', ...sizes] = process.argv.slice(2);
const subject = subjects.find((one) => one.name === name);
if (subject === undefined) throw new Error(`no subject is called ${String(name)}`);
const measure = await subject.prepare(shape);
// Compiles what the first call compiles.
await measure(100).catch(() => undefined);
for (const bytes of sizes.map(Number)) {
  const started = performance.now();
  const outcome = await measure(bytes).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ answer: String(error).split('\n', 1)[0] ?? '', crashed: true }),
  );
  const milliseconds = performance.now() - started;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  process.send?.({ bytes, milliseconds, peakBytes, ...outcome } satisfies Measured);
}
process.disconnect?.();
process.exit(0);
