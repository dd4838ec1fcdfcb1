import { onTestFinished } from 'vitest';
import type { Fixtures } from '../fixtures/second-server/client.ts';
import { startSecondServer } from '../fixtures/second-server/index.ts';
import type { SecondServer, SecondServerOptions } from '../fixtures/second-server/index.ts';

/** A server that is stopped after the test. */
export async function start(
  options: SecondServerOptions = {},
): Promise<{ server: SecondServer; fixtures: Fixtures }> {
  const server = await startSecondServer({ deadlineMs: 600, ...options });
  onTestFinished(() => server.stop());
  return { server, fixtures: server.fixtures as Fixtures };
}
