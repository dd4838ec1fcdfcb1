import { expect, test } from 'vitest';
import type { CourseDecision } from '../../engine/decision.ts';
import { serverOf } from '../../engine/serve.ts';
import type { ServedApi } from '../../engine/served-api.ts';

const api: ServedApi = {
  name: 'notes',
  errors: { kind: 'plain' },
  operations: [
    {
      ...{ id: 'add', method: 'POST', path: '/notes', responses: { '201': [] } },
      capacity: { kind: 'capacity', operations: ['add'], status: 429, things: { most: 2 } },
    },
  ],
};

test.each([
  ['counts things', true, [201, 201, 429, 429]],
  ['does not count things, so that its handler has to', false, [201, 201, 201, 201]],
])('a server that %s', async (_, counts, statuses) => {
  let notes = 0;
  const decisions: CourseDecision[] = [];
  const server = serverOf(
    api,
    {},
    {
      add: () => {
        notes += 1;
        return Promise.resolve({ status: 201 });
      },
    },
    {
      authenticate: () => ({ id: 'ada' }),
      ...(counts ? { existing: { add: () => Promise.resolve(notes) } } : {}),
    },
    { report: (_request, decision) => decisions.push(decision) },
  );
  const seen: number[] = [];
  for (const _call of statuses) {
    const { status, settle } = await server.exchange({
      ...{ method: 'POST', target: '/notes', headers: new Headers(), signal: new AbortController().signal },
      body: () => Promise.resolve(new Uint8Array()),
    });
    seen.push(status);
    await settle('delivered');
  }
  expect(seen).toEqual(statuses);
  expect(notes).toBe(statuses.filter((status) => status === 201).length);
  expect(decisions.filter(({ policy }) => policy === 'capacity')).toEqual(
    statuses.filter((status) => status === 429).map(() => ({ policy: 'capacity', case: 'things' })),
  );
});
