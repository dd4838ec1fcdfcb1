import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ownContractNames, packageRoot } from '../../contract/index.ts';
import type { Contract, OwnContractName } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { address, settingFor, type Setting } from '../kill-matrix/settings.ts';

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
    // Some surfaces serve the API below a path of their own, which a user knows.
    const baseUrl = ({ jobsBaseUrl }: Json): string => String(jobsBaseUrl ?? address);
    return { name, setting: { ...setting, by, fixtures, baseUrl } };
  };
}

// --- internal ---

const OTHER_NAMES: Readonly<Record<OwnContractName, string>> = {
  router: 'gateway',
  registry: 'shelf',
  jobs: 'kitchen',
};

/**
 * What a user knows of the server: credentials, values of parameters, one valid body for each operation, and calls that
 * bring occasions about.
 */
function byOperation(apis: Setting['apis'], offered: Json): Json {
  const parts = apis.map((api) => OFFERS[api](offered));
  const bodies = parts.reduce<Json>((all, part) => ({ ...all, ...(part['bodies'] as Json) }), {});
  const parameters = parts.reduce<Json>((all, part) => ({ ...all, ...(part['parameters'] as Json) }), {});
  const cred = parts.reduce<Json>((all, part) => ({ ...all, ...(part['cred'] as Json) }), {});
  const occasions = parts.reduce<Json>((all, part) => ({ ...all, ...(part['occasions'] as Json) }), {});
  return {
    cred,
    bodies,
    parameters,
    occasions,
    ...('account' in offered ? { account: { ...(offered['account'] as Json), ...narrow(offered) } } : {}),
    writes: [...Object.keys(bodies), ...(apis.includes('jobs') ? ['cancelJob'] : [])],
  };
}

/** The caller of whom few calls may run at once. */
function narrow({ concurrency }: Json): Json {
  const { cred, bound } = (concurrency ?? {}) as Json;
  return cred === undefined ? {} : { narrow: cred, narrowCalls: bound };
}

const OFFERS: Readonly<Record<OwnContractName, (offered: Json) => Json>> = {
  router: ({ cred, model }) => {
    const { id, input } = (model as Record<'echo', { readonly id: string; readonly input: unknown }>).echo;
    const [provider, name] = id.split('/');
    return {
      ...{ cred, parameters: { provider, model: name }, bodies: { runModel: input } },
      occasions: { runModel: runsOn(model as Readonly<Record<string, unknown>>) },
    };
  },
  registry: ({ cred, publish, proxy }) => {
    const { publisherId, nodeId, node, node_version: version, pat, second } = publish as Json;
    const elsewhere = (second as Json)['nodeId'];
    const publication = {
      node,
      // A free text and two lists.
      node_version: { ...(version as Json), version: '1.0.0', tags: ['image'] },
      personal_access_token: pat,
    };
    const { partner, image } = proxy as { readonly partner: string; readonly image: Json };
    const { jwt } = cred as Json;
    return {
      // A key opens one of the two operations only, a token both.
      cred: { ...(cred as Json), valid: { header: 'Authorization', value: `Bearer ${String(jwt)}` } },
      parameters: { publisherId, nodeId, partner },
      bodies: { publishNodeVersion: publication, startSkinEnhancement: { image: image['base64'] } },
      occasions: {
        publishNodeVersion: {
          other: {
            parameters: { nodeId: elsewhere },
            body: { ...publication, node: { ...(node as Json), id: elsewhere } },
          },
        },
        startSkinEnhancement: { other: { body: { image: image['url'] } } },
      },
    };
  },
  jobs: ({ cred, job }) => {
    const { ok, slow, tiny, fail, invalid } = job as Json;
    const occasions = {
      other: { body: tiny },
      slow: { body: slow, minMs: 3000 },
      ending: { body: fail, ends: 'failed' },
      invalid: { body: invalid },
    };
    return { cred, parameters: {}, bodies: { submitJob: ok }, occasions: { submitJob: occasions } };
  },
};

/** The deadline that the sheet states. */
const TEN_MINUTES_MS = 600_000;

/** The models of the fixtures, by the occasion that a run of each brings about. */
const OCCASIONS_OF_MODELS: Readonly<Record<string, readonly string[]>> = {
  other: ['ok'],
  slow: ['slow', 'deadline'],
  failing: ['5xx', 'providerTimeout'],
  refused: ['policy'],
  invalid: ['reject422'],
  huge: ['hugeOutput'],
  unavailable: ['503', '425'],
  missing: ['unknown', 'unknownProvider', 'unreleased'],
};

/** A fixture of a model has its id, or is its id. */
function runsOn(models: Readonly<Record<string, unknown>>): Json {
  const callOf = (given: unknown): readonly Json[] => {
    if (given === undefined) return [];
    const model = typeof given === 'string' ? { id: given } : (given as Json);
    const { id, input = {}, single, minMs } = model as Record<string, unknown>;
    const [provider, name] = String(id).split('/');
    const parameters = { provider, model: name };
    return [
      { parameters, body: input, ...(minMs === undefined ? {} : { minMs }) },
      ...(single === undefined ? [] : [{ parameters, body: single }]),
    ];
  };
  const byOccasion = Object.entries(OCCASIONS_OF_MODELS).map(
    ([occasion, names]) => [occasion, names.flatMap((name) => callOf(models[name]))] as const,
  );
  const { slow = [], ...others } = Object.fromEntries(byOccasion);
  // The one beyond the deadline is the last.
  return { ...others, slow: slow.map((call) => ({ minMs: TEN_MINUTES_MS, ...call })) };
}
