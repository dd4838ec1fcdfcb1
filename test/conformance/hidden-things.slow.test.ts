import { expect, onTestFinished, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Verdict } from '../../conformance/index.ts';
import { inProcess } from '../../cli/mock/in-process.ts';
import { createMock } from '../../mock/index.ts';
import { callsByName } from '../mock/calls-by-name.ts';

/** The verdict of a rule about owners where only a fixture names what another caller has. */
async function verdictOn(deviations: readonly string[]): Promise<Verdict | undefined> {
  const contract = await callsByName();
  const mock = createMock({ contracts: [contract], deviations });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const made = await mock.fetch(`${mock.url}/addTicket`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ada' },
    body: JSON.stringify({ title: 'Lamp' }),
  });
  const { ticket_id } = (await made.json()) as { readonly ticket_id: number };
  const given = { occasions: { getTicket: { hidden: { parameters: { ticket_id } } } } };
  const read = readFixtures(JSON.stringify(given), {});
  if (!read.ok) throw new Error('the fixtures cannot be read');
  const { rules } = await runConformance({
    contracts: [contract],
    baseUrl: 'http://mock.localhost',
    credential: { header: 'Authorization', value: 'Bearer bob' },
    allow: permissions.filter((permission) => permission !== 'long'),
    fixtures: read.fixtures,
    transport: inProcess(mock.handle),
  });
  return rules.find(({ id }) => id === 'resource.tickets.owned')?.verdict;
}

test('an answer with a thing that is hidden from its caller is noticed, and a refusal is not', async () => {
  expect(await verdictOn([])).toBe('not-exercised');
  expect(await verdictOn(['resource.tickets.owned~read-by-anybody'])).toBe('fail');
}, 60_000);
