import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newerNode } from '../../scripts/newer-node.ts';
import { freePort } from '../e2e/free-port.ts';
import { startPostgres } from '../server/engines.ts';
import { databaseState } from './database-state.ts';
import { installFromNpm } from './installed.ts';
import { send, startProgram } from './program.ts';
import type { RealServer, RunningServer } from './server.ts';

const version = '7.6.5';
const token = '*:*.a-token-of-the-owner';

export const unleash: RealServer = {
  name: 'unleash',
  version,
  document: 'OpenAPI 3.0.3, served by itself',
  ownWrites: [
    { table: 'events', because: 'the log of all changes' },
    { table: 'api_tokens', members: ['seen_at'], because: 'when a token was last used' },
    { table: 'project_stats', because: 'counted from the log once a minute' },
    { table: 'projects', members: ['updated_at'], because: 'taken from the log, late' },
  ],
  install: async (folder) => installFromNpm(folder, { 'unleash-server': version }),
  start,
};

// --- internal ---

async function start(installed: string, folder: string): Promise<RunningServer> {
  const postgres = await startPostgres();
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const program = await startProgram(
    {
      command: [newerNode(), join(installed, 'node_modules/unleash-server/dist/server.js')],
      folder,
      environment: {
        ...{ DATABASE_URL: postgres.url, DATABASE_SSL: 'false', NODE_ENV: 'production', LOG_LEVEL: 'warn' },
        ...{ HTTP_HOST: '127.0.0.1', HTTP_PORT: String(port), INIT_ADMIN_API_TOKENS: token },
        ...{ CHECK_VERSION: 'false', SEND_TELEMETRY: 'false', DO_NOT_TRACK: '1' },
      },
    },
    `${url}/health`,
  );
  const stop = async (): Promise<void> => {
    await program.stop();
    await postgres.stop();
  };
  try {
    await furnish(url);
    const document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(await send('GET', `${url}/docs/openapi.json`, {})));
    return {
      ...{ url, document, stop, credential: { TALLYSTICK_API_KEY: token } },
      state: () => databaseState(postgres.url),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What an owner has, with the names of the document's examples: exactly these would a careless run change. */
async function furnish(url: string): Promise<void> {
  const post = (path: string, body?: unknown): Promise<unknown> =>
    send('POST', `${url}/api/admin${path}`, { Authorization: token }, body);
  const project = '/projects/default';
  for (const name of [
    ...['disable-comments', 'new-feature', 'parent_feature', 'feature-a', 'feature-b', 'text'],
    ...[1, 2, 3, 4, 5, 6].map((number) => `my-feature-${String(number)}`),
  ])
    await post(`${project}/features`, { name, type: 'release' });
  await post(`${project}/features/disable-comments/environments/development/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness: 'default', groupId: 'disable-comments' },
  });
  await post(`${project}/features/disable-comments/environments/development/on`);
  await post(`${project}/features/new-feature/dependencies`, { feature: 'parent_feature' });
  await post('/tag-types', { name: 'color' });
  for (const value of ['a-tag-value', 'tag-to-remove'])
    await post('/features/disable-comments/tags', { type: 'simple', value });
  await post('/strategies', { name: 'my-custom-strategy', parameters: [] });
  await post('/context', { name: 'subscriptionTier', legalValues: [{ value: '#c154c1' }] });
  await post('/segments', { name: 'beta-users', constraints: [] });
  for (let number = 1; number <= 14; number += 1)
    await post('/user-admin', {
      ...{ email: `user-${String(number)}@example.com`, name: `User ${String(number)}` },
      ...{ rootRole: 2, sendEmail: false },
    });
}
