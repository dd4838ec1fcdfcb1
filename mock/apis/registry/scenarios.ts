import type { MockScenario } from '../../scenarios/scenario.ts';

/** Names of scenarios that the behaviours of the registry refer to. */
export const VERSION_TAKEN = 'version-taken';
export const PARTNER_FAILS = 'partner-fails';
export const UPLOAD_EXPIRED = 'upload-expired';
export const UPLOAD_DROPS = 'upload-drops';

/** Magic values of the registry and of the partner route: keys, and names for `Prefer`. */
export const registryScenarios: readonly MockScenario[] = [
  row(VERSION_TAKEN, 'every version counts as published already'),
  row(PARTNER_FAILS, 'the partner behind the proxy fails'),
  row(UPLOAD_EXPIRED, 'the address for the archive of a version has expired'),
  row(UPLOAD_DROPS, 'the first upload of the archive is cut before it is stored'),
];

// --- internal ---

function row(name: string, does: string): MockScenario {
  return { name, does, api: 'registry', caller: { kind: 'named' } };
}
