import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newerNode } from '../../scripts/newer-node.ts';
import { freePort } from '../e2e/free-port.ts';
import { startPostgres } from '../server/engines.ts';
import { databaseState } from './database-state.ts';
import { installFromNpm } from './installed.ts';
import { runProgram, send, startProgram } from './program.ts';
import type { RealServer, RunningServer } from './server.ts';

const version = '11.3.5';
const token = 'a-token-of-the-owner';

export const directus: RealServer = {
  name: 'directus',
  version,
  document: 'OpenAPI 3.0.1, made by itself from its tables',
  ownWrites: [
    { table: 'directus_activity', because: 'the log of all changes' },
    { table: 'directus_revisions', because: 'what each change of the log changed' },
    { table: 'directus_users', members: ['last_access'], because: 'when a user was last seen' },
  ],
  // The version that it asks for is compiled at installation. This one brings its programs with it.
  install: async (folder) => installFromNpm(folder, { directus: version }, { 'isolated-vm': '6.1.2' }),
  start,
};

// --- internal ---

async function start(installed: string, folder: string): Promise<RunningServer> {
  const postgres = await startPostgres();
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  for (const name of ['uploads', 'extensions']) mkdirSync(join(folder, name));
  const cli = [newerNode(), join(installed, 'node_modules/@directus/api/dist/cli/run.js')];
  const environment = {
    ...{ DB_CLIENT: 'pg', DB_CONNECTION_STRING: postgres.url, SECRET: 'a-secret-of-the-owner' },
    ...{ ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'a-password-of-the-owner', ADMIN_TOKEN: token },
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, TELEMETRY: 'false', LOG_LEVEL: 'warn' },
  };
  const stop = (): Promise<void> => postgres.stop();
  try {
    await runProgram({ command: [...cli, 'bootstrap'], folder, environment });
    const program = await startProgram(
      { command: [...cli, 'start'], folder, environment },
      `${url}/server/ping`,
    );
    try {
      await furnish(url);
      const document = join(folder, 'openapi.json');
      writeFileSync(document, JSON.stringify(await send('GET', `${url}/server/specs/oas`, authorized)));
      return {
        ...{ url, document, credential: { TALLYSTICK_BEARER: token } },
        state: () => databaseState(postgres.url),
        stop: () => program.stop().then(stop),
      };
    } catch (error) {
      await program.stop();
      throw error;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

const authorized = { Authorization: `Bearer ${token}` };

/** What an owner has, with the ids and names of the document's examples: exactly these would a careless run change. */
async function furnish(url: string): Promise<void> {
  const post = (path: string, body: unknown): Promise<unknown> =>
    send('POST', `${url}${path}`, authorized, body);
  const id = '8cbb43fe-4cdf-4991-8352-c461779cec02';
  await post('/collections', {
    collection: 'my_collection',
    schema: {},
    meta: {},
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: {} },
      { field: 'title', type: 'string', schema: {}, meta: {} },
    ],
  });
  for (const title of ['first', 'second', 'third']) await post('/items/my_collection', { title });
  await post('/folders', { id, name: 'Amsterdam' });
  await post('/roles', { id, name: 'Writers' });
  await post('/users', {
    id,
    email: 'admin@example.com',
    password: 'another-password',
    role: id,
    first_name: 'Ada',
  });
  await post('/policies', { id, name: 'Read', icon: 'badge' });
  await post('/permissions', { policy: id, collection: 'my_collection', action: 'read', fields: ['*'] });
  await post('/flows', { id, name: 'A flow', status: 'inactive', trigger: 'manual', options: {} });
  await post('/operations', {
    ...{ id, name: 'A step', key: 'a_step', type: 'log', flow: id, position_x: 1, position_y: 1 },
    options: {},
  });
  await post('/presets', { collection: 'my_collection', layout: 'tabular' });
  await post('/comments', { id, collection: 'my_collection', item: '1', comment: 'A comment' });
  await send('PATCH', `${url}/settings`, authorized, { project_name: 'The project of the owner' });
}
