// A judge that blocks its thread at an exchange with `/slow`, and finds a broken rule in one with `/broken`.
import { parentPort, workerData } from 'node:worker_threads';

parentPort?.postMessage({ kind: 'ready' });
parentPort?.on('message', ({ kind, exchanges = [], isAfterGap, place, whole }) => {
  const { state } = workerData;
  if (kind === 'serve')
    parentPort?.postMessage({ kind: 'served', controlUrl: `http://127.0.0.1:${place.port}` });
  if (kind === 'report')
    parentPort?.postMessage({ kind: 'report', report: { rules: whole.items, findings: [] } });
  if (kind !== 'judge') return;
  for (const { target, number } of exchanges) {
    Atomics.add(state, 0, 1);
    if (target === '/slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120_000);
    const broken = {
      kind: 'check',
      rule: 'r',
      outcome: 'fail',
      exchanges: [],
      expected: 'one',
      got: 'another',
    };
    const items = target === '/broken' ? [broken] : [];
    const nothing = { gaps: new Map(), findings: [], reads: [], secrets: [], evidence: [], shortened: 0 };
    parentPort?.postMessage({ kind: 'heard', judged: { entry: { number, isAfterGap }, breaches: [] } });
    parentPort?.postMessage({ kind: 'judged', step: { ...nothing, seen: 1, items }, done: 1 });
  }
  parentPort?.postMessage({ kind: 'over' });
});
