import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { runModelFailure } from '../../generated/router/failures.ts';
import { createRouter } from '../../generated/router/index.ts';
import { errorOf, mockModel, world, type World } from './in-process.ts';

let here: World;
beforeEach(async () => {
  here = world({ apis: ['router'] });
  await here.mock.ready();
});

const text = readFileSync(new URL('../../generated/router/errors.ts', import.meta.url), 'utf8');

/** What the documentation of an error class says, in one line. */
function saidOf(name: string): string {
  const before = text.slice(0, text.indexOf(`export class ${name} `));
  return before
    .slice(before.lastIndexOf('/**'))
    .replaceAll(/[\s*/]+/g, ' ')
    .trim();
}

/** Document 1, Errors, rule 4. Of a model's own 422, whose bucket is on the header only, it says nothing. */
test.each([
  ['InvalidInputError', 'not charged if it did not reach the model (otherwise the contract does not say).'],
  ['InsufficientCreditsError', ', not charged.'],
  ['DeadlineExceededError', ', not charged.'],
  ['ProviderTimeoutError', ', charged (a key at most once).'],
  ['ContentPolicyViolationError', ', charged or not as the model has it.'],
  ['ProviderError', '`provider_error`. The request was accepted but not completed.'],
])('the documentation of %s states the charges as in the contract: %s', (name, words) => {
  expect(saidOf(name)).toContain(words);
});

test('router.run.422-shape: the error of a model that rejects its input has the class whose charge is open', async () => {
  const { runModel } = createRouter({
    ...here.connection,
    credentials: { ApiKeyAuth: 'service-mock-ok' },
  });
  const error = await errorOf(runModel(mockModel('invalid-image', { image: 'no picture' })));
  expect([error.name, runModelFailure(error, 422)?.status]).toStrictEqual(['InvalidInputError', 422]);
  expect(here.mock.journal.entries().map(({ billed }) => billed)).toStrictEqual([undefined]);
});
