import type { Transport } from '../../../../conformance/index.ts';
import type { Clock } from '../../../../conformance/http/transport.ts';
import { createMock } from '../../../../mock/index.ts';
import type { Mock, MockOptions } from '../../../../mock/index.ts';
import { inProcess } from '../../../kill-matrix/in-process.ts';
import { asFixtures } from '../../../kill-matrix/matrix.ts';
import { address } from '../../../kill-matrix/settings.ts';
import type { Setting } from '../../../kill-matrix/settings.ts';
import { State } from './state.ts';

/** A mock that holds things which no run has made: of the caller's own account, and of another one. */
export interface Prepared {
  readonly mock: Mock;
  readonly fixtures: ReturnType<typeof asFixtures>;
  readonly transport: Transport;
  /** What is there before the run. */
  readonly before: State;
}

export async function prepared(
  { apis, mock: options = {} }: Setting,
  clock: Clock,
  deviations: readonly string[],
): Promise<Prepared> {
  const mock = createMock({ ...options, ...OTHERS, apis, clock: clock as NonNullable<MockOptions['clock']> });
  await mock.ready();
  const given = mock.fixtures() as unknown as Given;
  if (given.job !== undefined) await submitJobs(mock, given);
  if (given.publish !== undefined) await publishVersions(mock, given);
  if (given.model !== undefined) await runModel(mock, given);
  // A fault begins with the run.
  const deviant = createMock({
    ...options,
    ...OTHERS,
    apis,
    clock: clock as NonNullable<MockOptions['clock']>,
    deviations,
  });
  await deviant.ready();
  deviant.restore(mock.snapshot());
  mock.close();
  return {
    mock: deviant,
    fixtures: asFixtures(deviant.fixtures()),
    transport: inProcess(deviant.handle),
    before: new State(deviant.snapshot()),
  };
}

// --- internal ---

/** A publisher of the caller, with a node that the fixtures do not name. */
const OTHERS = { registry: { publishers: [{ id: 'acme-archive', nodes: ['old-scaler'] }] } } as const;

interface Given {
  readonly cred: { readonly apiKey: string; readonly secondAccount: string };
  readonly staticToken?: string;
  readonly jobsBaseUrl?: string;
  readonly job?: { readonly graphPointer: string; readonly tiny: object };
  readonly publish?: {
    readonly publisherId: string;
    readonly nodeId: string;
    readonly pat: string;
    readonly foreign: { readonly publisherId: string; readonly nodeId: string };
    readonly second: { readonly nodeId: string };
  };
  readonly model?: { readonly ok: { readonly id: string; readonly input: object } };
}

/** Jobs that are queued, run for an hour, or are over. */
async function submitJobs(
  mock: Mock,
  { cred, staticToken, jobsBaseUrl = address, job }: Given,
): Promise<void> {
  const member = job?.graphPointer.slice(1) ?? '';
  const brooding = { [member]: { '1': { class_type: 'Wait', inputs: { seconds: 3600 } } } };
  const callers = staticToken === undefined ? [cred.apiKey, cred.secondAccount] : [staticToken];
  for (const key of callers)
    for (const body of [brooding, job?.tiny, brooding])
      await post(mock, `${jobsBaseUrl}/api/v2/jobs`, key, body ?? {});
}

/** Versions with the numbers that are tried first. */
async function publishVersions(mock: Mock, { cred, publish }: Given): Promise<void> {
  if (publish === undefined) return;
  const { publisherId, nodeId, pat, foreign, second } = publish;
  const places = [
    [publisherId, nodeId, pat],
    [publisherId, second.nodeId, pat],
    ['acme-archive', 'old-scaler', pat],
    [foreign.publisherId, foreign.nodeId, pat.replace(/ok$/, 'stranger')],
  ] as const;
  for (const [publisher, node, token] of places)
    for (const version of ['0.0.1', '0.1.0', '1.0.0', '1.2.3', '1.10.0'])
      await post(mock, `${address}/publishers/${publisher}/nodes/${node}/versions`, cred.apiKey, {
        node: { id: node, name: `${node} of before` },
        node_version: { version, changelog: 'of before' },
        personal_access_token: token,
      });
}

/** Calls whose results can be had again with their keys. */
async function runModel(mock: Mock, { cred, model }: Given): Promise<void> {
  if (model === undefined) return;
  for (const key of [cred.apiKey, cred.secondAccount])
    for (const name of ['1', 'key', 'key-of-before'])
      await post(mock, `${address}/v1/models/${model.ok.id}`, key, model.ok.input, {
        'Idempotency-Key': name,
      });
}

async function post(mock: Mock, url: string, key: string, body: object, headers: object = {}): Promise<void> {
  const response = await mock.fetchBelow(address)(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${String(response.status)} ${await response.text()}`);
  await response.arrayBuffer();
}
