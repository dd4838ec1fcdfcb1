import { cpuPerRequest } from './measure.ts';
import { openStreams } from './open-streams.ts';
import { alone, kilobytes, milliseconds, type Row } from './rows.ts';
import { headers, ourMock } from './subjects.ts';

/** What open streams and remembered keys take up in the mock. */
export async function memory(): Promise<readonly Row[]> {
  return [
    await streamsRow(1_000, { bar: '1 s, 60 kB', aim: '5,000 streams' }),
    await streamsRow(5_000, {}),
    await keysRow(10_000),
  ];
}

// --- internal ---

async function streamsRow(
  count: number,
  goal: { readonly bar?: string; readonly aim?: string },
): Promise<Row> {
  const mock = await ourMock(['--quiet', '--surface', 'self-hosted']);
  const { latestMs, bytesEach, events } = await openStreams(mock, count);
  await mock.stop();
  const told = `${events} events, each received by all within ${milliseconds(latestMs)}, ${kilobytes(bytesEach)} per stream`;
  return alone(`mock, ${count.toLocaleString('en')} open event streams`, told, goal);
}

/** Runs with a key of its own each: every answer is kept for the key's next use. */
async function keysRow(count: number): Promise<Row> {
  const mock = await ourMock(['--quiet']);
  const run = (number: number): Promise<unknown> =>
    fetch(`${mock.url}/v1/models/mock/ok`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': `key-${String(number)}` },
      body: '{"prompt":"x"}',
    }).then((response) => response.arrayBuffer());
  // A warm process grows by what it keeps, and by little else.
  await cpuPerRequest(mock, {
    path: '/v1/models/mock/ok',
    method: 'POST',
    headers,
    body: '{"prompt":"x"}',
    seconds: 2,
  });
  const before = await mock.memoryBytes();
  for (let number = 0; number < count; number += BATCH)
    await Promise.all(Array.from({ length: BATCH }, (_, index) => run(number + index)));
  const after = await mock.memoryBytes();
  await mock.stop();
  const each = Math.max(0, after - before) / count;
  return alone(`mock, ${count.toLocaleString('en')} keys with their answers`, `${kilobytes(each)} per key`);
}

const BATCH = 50;
