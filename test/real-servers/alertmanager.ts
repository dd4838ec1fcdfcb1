import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../contract/index.ts';
import { freePort } from '../e2e/free-port.ts';
import { extractFromDebian } from './installed.ts';
import { asOpenApi3 } from './openapi-2.ts';
import { send, startProgram } from './program.ts';
import type { RealServer, RunningServer } from './server.ts';
import type { Row, State } from './state.ts';

const version = '0.25.0';

export const alertmanager: RealServer = {
  name: 'alertmanager',
  version,
  document: 'OpenAPI 2.0, from its source package, converted',
  ownWrites: [],
  install: async (folder) => {
    extractFromDebian(folder, [
      `prometheus-alertmanager=${version}-1+b4`,
      `golang-github-prometheus-alertmanager-dev=${version}-1`,
    ]);
    const file = join(folder, program);
    // Debian's build has its templates at a fixed place, and nothing is installed there.
    const text = readFileSync(file, 'latin1').replaceAll(`/${templates}`, `${templates}/`);
    writeFileSync(file, text, 'latin1');
  },
  start,
};

// --- internal ---

const program = 'usr/bin/prometheus-alertmanager';
const templates = 'usr/share/prometheus/alertmanager';
const source = 'usr/share/gocode/src/github.com/prometheus/alertmanager/api/v2/restapi/embedded_spec.go';

async function start(installed: string, folder: string): Promise<RunningServer> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  // A receiver without an address.
  writeFileSync(join(folder, 'alertmanager.yml'), 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
  symlinkSync(join(installed, 'usr'), join(folder, 'usr'));
  const running = await startProgram(
    {
      command: [
        join(folder, program),
        ...['--config.file=alertmanager.yml', '--storage.path=data', '--cluster.listen-address='],
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      folder,
    },
    `${url}/-/ready`,
  );
  try {
    await furnish(`${url}/api/v2`);
    const document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(asOpenApi3(embedded(join(installed, source)))));
    return {
      ...{ url: `${url}/api/v2`, document, credential: {}, stop: running.stop },
      state: () => stateOf(`${url}/api/v2`),
    };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The document as it is in a file of Go. */
function embedded(file: string): unknown {
  const [, text = ''] =
    /SwaggerJSON = json\.RawMessage\(\[\]byte\(`([\s\S]*?)`\)\)/.exec(readFileSync(file, 'utf8')) ?? [];
  return JSON.parse(text);
}

async function furnish(api: string): Promise<void> {
  const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();
  const alerts = ['DiskFull', 'text'].map((alertname) => ({
    ...{ labels: { alertname, team: 'owners' }, annotations: { summary: 'of the owner' } },
    ...{ startsAt: hours(-1), endsAt: hours(24) },
  }));
  await send('POST', `${api}/alerts`, {}, alerts);
  for (const comment of ['one of the owner', 'another of the owner'])
    await send(
      'POST',
      `${api}/silences`,
      {},
      {
        matchers: [{ name: 'alertname', value: 'DiskFull', isRegex: false, isEqual: true }],
        ...{ startsAt: hours(0), endsAt: hours(24), createdBy: 'owner', comment },
      },
    );
}

/** It has no database: what it keeps is asked from its own API. */
async function stateOf(api: string): Promise<State> {
  const rows = async (path: string, key: string): Promise<ReadonlyMap<string, Row>> => {
    const list = (await send('GET', `${api}${path}`, {})) as readonly Row[];
    return new Map(list.map((row) => [String(row[key]), row]));
  };
  const status = await send('GET', `${api}/status`, {});
  const config = isRecord(status) && isRecord(status['config']) ? status['config'] : {};
  return new Map([
    ['alerts', await rows('/alerts', 'fingerprint')],
    ['silences', await rows('/silences', 'id')],
    ['config', new Map([['config', config]])],
  ]);
}
