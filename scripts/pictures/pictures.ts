import type { Page } from 'playwright-core';
import type { RunningMock } from '../../mock/index.ts';
import { call, run, smallGraph } from '../../test/inspector/traffic.ts';

/** A picture of the inspector, taken in the light and in the dark theme. */
export interface Picture {
  readonly name: string;
  /** Produces the state that it shows. */
  readonly prepare: (mock: RunningMock, advance: (duration: string) => Promise<void>) => Promise<void>;
  /** The address of the view. */
  readonly at: (mock: RunningMock) => string;
  /** Opens the part of the page that it shows, and waits until it is visible. */
  readonly show: (page: Page) => Promise<void>;
}

/** All pictures of the documentation. Each starts with a fresh mock. */
export const pictures: readonly Picture[] = [
  {
    name: 'inspector',
    prepare: async (mock) => {
      await call(mock, { path: '/v1/models?limit=3' });
      await run(mock, 'mock/provider-timeout', { idempotencyKey: 'order-2' });
      await run(mock, 'mock/drops-connection', { idempotencyKey: 'order-3' });
      await run(mock, 'mock/ok', { key: 'service-mock-no-credits' });
      await call(mock, { path: '/v1/models?limit=abc' });
      await call(mock, { path: '/api/v2/jobs', idempotencyKey: 'job-1', body: smallGraph });
      await call(mock, { path: '/api/v2/jobs', idempotencyKey: 'job-1', body: smallGraph });
      await run(mock, 'mock/policy-refused-unknown', { key: 'service-mock-ok+alice' });
      await run(mock, 'mock/ok', { body: { prompt: 7 } });
      await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
      await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    },
    at: (mock) => `journal/${String(mock.journal.latest)}`,
    show: async (page) => {
      const exchange = page.getByRole('complementary', { name: 'Exchange' });
      await exchange.getByText('Why this answer').waitFor();
      await exchange.getByText('router.idem.replay').first().waitFor();
    },
  },
  {
    name: 'composer',
    prepare: () => Promise.resolve(),
    at: () => 'composer/router/runModel',
    show: async (page) => {
      const unavailable = page.getByRole('button', { name: 'Unavailable', exact: true });
      await unavailable.click();
      await page.locator('button[aria-pressed="true"]', { hasText: 'Unavailable' }).waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.locator('.status', { hasText: '503' }).waitFor();
      await answer.getByText('Why this answer').waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).click();
    },
  },
  {
    name: 'jobs',
    prepare: async (mock, advance) => {
      await call(mock, { path: '/api/v2/jobs', body: smallGraph });
      await call(mock, { path: '/api/v2/jobs', key: 'service-mock-job-fails', body: smallGraph });
      await advance('PT1M');
      const picture = {
        '1': { class_type: 'GeneratePicture', inputs: { prompt: 'a lighthouse at dusk' } },
        '2': { class_type: 'SavePicture', inputs: { picture: ['1', 0] } },
        '3': { class_type: 'Wait', inputs: { seconds: 60, after: ['2', 0] } },
      };
      await call(mock, { path: '/api/v2/jobs', body: { workflow: picture } });
      await advance('PT20S');
    },
    at: () => 'jobs',
    show: async (page) => {
      await page.locator('.machine [data-is="now"]', { hasText: 'running' }).waitFor();
    },
  },
];
