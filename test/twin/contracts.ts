import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ownContractNames, packageRoot } from '../../contract/index.ts';
import type { Contract, OwnContractName } from '../../contract/index.ts';
import { declaredApis } from '../../conformance/apis/declared.ts';
import type { Fixtures } from '../../conformance/target/fixtures.ts';
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
  const parts = declaredApis.flatMap(({ api, offers }) =>
    apis.some((one) => one === api) ? (offers?.(offered as Fixtures) ?? []) : [],
  );
  const all = (member: 'bodies' | 'parameters' | 'occasions'): Json =>
    Object.assign({}, ...parts.map((part) => part[member])) as Json;
  const bodies = all('bodies');
  return {
    ...{ cred: credOf(apis, offered), bodies, parameters: all('parameters'), occasions: all('occasions') },
    ...('account' in offered ? { account: { ...(offered['account'] as Json), ...narrow(offered) } } : {}),
    writes: [...Object.keys(bodies), ...(apis.includes('jobs') ? ['cancelJob'] : [])],
  };
}

/** The caller of whom few calls may run at once. */
function narrow({ concurrency }: Json): Json {
  const { cred, bound } = (concurrency ?? {}) as Json;
  return cred === undefined ? {} : { narrow: cred, narrowCalls: bound };
}

/** A key opens one of the two operations of the registry only, a token both. */
function credOf(apis: Setting['apis'], { cred }: Json): Json {
  const { jwt } = cred as Json;
  const valid = { header: 'Authorization', value: `Bearer ${String(jwt)}` };
  return { ...(cred as Json), ...(apis.includes('registry') ? { valid } : {}) };
}
