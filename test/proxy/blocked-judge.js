// A judge that blocks its thread at an exchange with `/slow`, and finds a broken rule in one with `/broken`.
import { parentPort, workerData } from 'node:worker_threads';

parentPort?.postMessage({ kind: 'ready' });
parentPort?.on('message', ({ kind, exchanges = [], isAfterGap, place }) => {
  const { state, found } = workerData;
  if (kind === 'serve')
    parentPort?.postMessage({ kind: 'served', controlUrl: `http://127.0.0.1:${place.port}` });
  if (kind === 'report') parentPort?.postMessage({ kind: 'report', report: { rules: found, findings: [] } });
  if (kind !== 'judge') return;
  const breaches = [];
  for (const { target, number } of exchanges) {
    Atomics.add(state, 0, 1);
    if (target === '/slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120_000);
    if (target === '/broken')
      breaches.push({ rule: 'r', level: 'must', expected: 'one', observed: 'another' });
    const judged = { entry: { number, isAfterGap }, breaches };
    parentPort?.postMessage({ kind: 'heard', judged });
  }
  parentPort?.postMessage({ kind: 'judged', breaches, skipped: 0 });
});
