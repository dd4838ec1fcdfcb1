import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ownContractNames, packageRoot } from '../../contract/index.ts';
import type { Contract, OwnContractName } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { settingFor, type Setting } from '../kill-matrix/settings.ts';

type Json = Record<string, unknown>;

/** The built-in contracts as a user would hand them in: with other names, without rules and modules. */
export type Twins = Readonly<Record<OwnContractName, Contract>>;

/** Read from the same document and sheet, through the same checks as any file of a user. */
export async function readTwins(): Promise<Twins> {
  const twins = ownContractNames.map(async (name) => {
    const document = readFileSync(join(packageRoot(), 'specs', `${name}.openapi.yaml`), 'utf8');
    const sheet = parseDocument(readFileSync(join(packageRoot(), 'specs', `${name}.behaviour.yaml`), 'utf8'));
    sheet.set('api', OTHER_NAMES[name]);
    sheet.set('rules', []);
    return [name, await own(OTHER_NAMES[name], document, sheet.toString())] as const;
  });
  return Object.fromEntries(await Promise.all(twins)) as Twins;
}

/** The setting of the kill matrix for a deviation, judged by the twins of its contracts and with their fixtures. */
export function twinSetting(twins: Twins): typeof settingFor {
  return (deviation) => {
    const { name, setting } = settingFor(deviation);
    const { fixtures: change = (fixtures: Json): Json => fixtures } = setting;
    const by = setting.apis.map((api) => twins[api]);
    const fixtures = (offered: Json): Json => byOperation(setting.apis, change(offered));
    return { name, setting: { ...setting, by, fixtures } };
  };
}

// --- internal ---

const OTHER_NAMES: Readonly<Record<OwnContractName, string>> = {
  router: 'gateway',
  registry: 'shelf',
  jobs: 'kitchen',
};

/** What a user knows of the server: credentials, values of parameters, one valid body for each operation, and occasions. */
function byOperation(apis: Setting['apis'], offered: Json): Json {
  const parts = apis.map((api) => OFFERS[api](offered));
  const bodies = parts.reduce<Json>((all, part) => ({ ...all, ...(part['bodies'] as Json) }), {});
  const parameters = parts.reduce<Json>((all, part) => ({ ...all, ...(part['parameters'] as Json) }), {});
  const occasions = parts.reduce<Json>((all, part) => ({ ...all, ...(part['occasions'] as Json) }), {});
  const cred = parts.reduce<Json>((all, part) => ({ ...all, ...(part['cred'] as Json) }), {});
  return {
    cred,
    bodies,
    parameters,
    occasions,
    writes: [...Object.keys(bodies), ...(apis.includes('jobs') ? ['cancelJob'] : [])],
  };
}

interface Model {
  readonly id: string;
  readonly input: unknown;
  readonly minMs?: number;
}

/** A run of a model, as a call of its operation. */
function callOf(model: Model | undefined): Json & { readonly parameters?: unknown; readonly body?: unknown } {
  if (model === undefined) return {};
  const [provider, name] = model.id.split('/');
  const { input: body, minMs } = model;
  return { parameters: { provider, model: name }, body, ...(minMs === undefined ? {} : { minMs }) };
}

/** The deadline that the sheet states. */
const TEN_MINUTES_MS = 600_000;

const OFFERS: Readonly<Record<OwnContractName, (offered: Json) => Json>> = {
  router: ({ cred, model }) => {
    const { ok, slow, deadline, reject422, policy, providerTimeout, unknown, ...others } = model as Record<
      string,
      Model
    >;
    const [first, late] = [callOf(ok), callOf(deadline)];
    return {
      cred,
      parameters: first.parameters,
      bodies: { runModel: first.body },
      occasions: {
        runModel: {
          slow: [callOf(slow), { ...late, minMs: TEN_MINUTES_MS }],
          refused: [callOf(reject422), callOf(policy)],
          // A status that the document declares.
          failing: [callOf(providerTimeout)],
          limited: [callOf(others['425'])],
          unavailable: [callOf(others['503'])],
          missing: [callOf({ id: String(unknown), input: {} })],
        },
      },
    };
  },
  registry: ({ cred, publish, proxy }) => {
    const { publisherId, nodeId, node, node_version: version, pat } = publish as Json;
    const { partner, image } = proxy as { readonly partner: string; readonly image: Json };
    const { jwt } = cred as Json;
    return {
      // A key opens one of the two operations only, a token both.
      cred: { ...(cred as Json), valid: { header: 'Authorization', value: `Bearer ${String(jwt)}` } },
      parameters: { publisherId, nodeId, partner },
      bodies: {
        publishNodeVersion: {
          node,
          node_version: { ...(version as Json), version: '1.0.0' },
          personal_access_token: pat,
        },
        startSkinEnhancement: { image: image['base64'] },
      },
    };
  },
  jobs: ({ cred, job }) => ({ cred, parameters: {}, bodies: { submitJob: (job as Json)['ok'] } }),
};
