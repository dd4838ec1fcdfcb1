import { expect, test } from 'vitest';
import type { Report, StoredExchange } from '../../conformance/index.ts';
import { leftBy } from './left.ts';

const exchange = (id: string, sent: unknown, answered: unknown): StoredExchange =>
  ({
    id,
    request: { method: 'POST', target: '/clips', body: { text: JSON.stringify(sent) } },
    answer: { status: 201, headers: [], body: { text: JSON.stringify(answered) } },
  }) as unknown as StoredExchange;

test('only what the report lists as left is excused: by its address, and by the exchange that shows it', () => {
  const exchanges = [
    exchange('x1', { name: 'a' }, { data: { id: 7, title: 'no id' } }),
    exchange('x2', { name: 'b' }, { id: 8 }),
  ];
  const listed = { api: 'clips', operation: 'addClip', exchange: 'x1', why: 'there is no way' };
  const report = (left?: Report['left']): Pick<Report, 'left' | 'exchanges'> => ({
    exchanges,
    ...(left === undefined ? {} : { left }),
  });
  expect([...leftBy(report([{ ...listed, address: '/clips/a%20b?x=1' }]))]).toEqual(['a b', 'a', '7']);
  expect(leftBy(report()).size).toBe(0);
});
