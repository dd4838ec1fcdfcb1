import type { Contract } from '../../../contract/model.ts';
import type { MockedApi } from '../../api.ts';
import { type Behaviour, byOperation, type Call } from '../../call/call.ts';
import { bearer, usualKey } from '../../call/caller.ts';
import { citationsOf } from '../../call/citations.ts';
import type { Ids } from '../../state/ids.ts';
import { mechanismsOf } from '../../deviations/replacements.ts';
import type { ModuleParts } from '../module.ts';
import type { AssumeRegistry } from './assumptions.ts';
import { sendCallback } from './callback.ts';
import { refuse, type Registry, type RegistryState } from './context.ts';
import { registryControl } from './control.ts';
import { credentials } from './credentials.ts';
import { enhance } from './enhance.ts';
import { registryFacts } from './facts.ts';
import { knownPublication, registryFixtures } from './fixtures.ts';
import { durableRegistry } from './durable-state.ts';
import { registryMechanisms } from './mechanisms.ts';
import { ARCHIVE_LIMIT } from './options.ts';
import { publish } from './publish.ts';
import { seedRegistry } from './publishers.ts';
import { withoutSecrets } from './secret-answers.ts';
import type { MockScenario } from '../../scenarios/scenario.ts';
import { PARTNER_FAILS, UPLOAD_DROPS, UPLOAD_EXPIRED, VERSION_TAKEN } from './scenarios.ts';
import { AddressSigner } from '../../state/signature.ts';
import { ArchiveShelf, RegistryStore } from './store.ts';
import { unmatched } from '../../call/unmatched.ts';
import { isUploadPath, upload, UPLOADS } from './upload.ts';
import { views } from './view.ts';
import { requestedScenarios } from '../../scenarios/requested-scenarios.ts';

/**
 * The node registry and the partner route: their behaviours, in order. The behaviour sheet defines the order
 * of the checks of a publication.
 *
 * @throws {RangeError} for options that do not describe a registry
 */
export function registryApi(contract: Contract, parts: ModuleParts): MockedApi {
  const { clock, ids, keep } = parts;
  const { profile = 'faithful', publicUrl, registry: options = {} } = parts.options;
  const assume = parts.assume as AssumeRegistry;
  const isOdd = profile === 'legal-but-odd';
  const facts = registryFacts(contract);
  const fresh = (): RegistryState => freshState(ids, () => seedRegistry(facts, options, clock.now()));
  const time = isOdd ? withOffset : inUtc;
  const registry: Registry = {
    ...{ facts, assume, clock, ids, keep, profile, publicUrl, options },
    besideRouter: parts.names.includes('router'),
    citation: citationsOf(contract),
    views: views({ showAdminTags: assume('A-49').echoAdminTags, time }),
    keeperViews: views({ showAdminTags: true, time: inUtc }),
    mechanisms: mechanismsOf(parts.deviations, 'registry', registryMechanisms),
    sendCallback,
    state: fresh(),
  };
  return {
    ...{ contract, ...durableRegistry(registry, fresh) },
    behaviours: [
      withoutSecrets(registry),
      uploadWish(
        requestedScenarios(
          () => registry.state,
          (_call, { name }) => OF_UPLOADS.includes(name),
          parts,
        ),
      ),
      upload(registry),
      // Also other routes of a partner.
      unmatched((call, message, headers) => {
        const { otherRoutes } = assume('A-54');
        return headers.length === 0
          ? refuse(registry, call, { status: otherRoutes, error: 'not_here', message, because: 'A-54' })
          : refuse(registry, call, { ...OTHER_METHOD, message, headers });
      }),
      credentials(registry),
      requestedScenarios(
        () => registry.state,
        (call, scenario) => concerns(facts, call, scenario),
        parts,
      ),
      byOperation({ publishNodeVersion: publish(registry), startSkinEnhancement: enhance(registry) }),
    ],
    // Headers of the router are not sent here (open point A-56).
    stamps: () => [],
    failure: (call, message) => refuse(registry, call, { status: 500, error: 'internal', message }),
    isUntouchable: () => false,
    beside: (path) =>
      isUploadPath(path)
        ? { methods: [assume('A-48').method], longestBody: options.archiveLimit ?? ARCHIVE_LIMIT }
        : undefined,
    besidePrefixes: [UPLOADS],
    credential: credentialOf(facts),
    known: ({ id }) => (facts.uniqueness.operations.includes(id) ? knownPublication(registry) : {}),
    control: registryControl(registry),
    fixtures: () => registryFixtures(registry),
  };
}

// --- internal ---

const OF_UPLOADS: readonly string[] = [UPLOAD_EXPIRED, UPLOAD_DROPS];

const OTHER_METHOD = { status: 405, error: 'method_not_allowed', because: 'A-25' };

function concerns({ uniqueness }: Registry['facts'], { operation }: Call, scenario: MockScenario): boolean {
  const isPublication = uniqueness.operations.includes(operation?.id ?? '');
  if ([VERSION_TAKEN, ...OF_UPLOADS].includes(scenario.name)) return isPublication;
  if (scenario.name === PARTNER_FAILS) return !isPublication;
  return scenario.caller?.kind === 'refused';
}

/** Only the control API can choose scenarios for uploads, because an upload sends nothing but its address. */
function uploadWish(wished: Behaviour): Behaviour {
  return (call, next) => (isUploadPath(call.request.path) ? wished(call, next) : next());
}

/** As a bearer token, which every operation accepts. */
function credentialOf({ credentials }: Registry['facts']): MockedApi['credential'] {
  const value = usualKey(credentials);
  return { kind: 'key', value, headers: [bearer(value)] };
}

function freshState(ids: Ids, seed: () => ReturnType<typeof seedRegistry>): RegistryState {
  const stores = new Map<string, RegistryStore>();
  const freshStore = (): RegistryStore => {
    const { publishers, nodes } = seed();
    return new RegistryStore(publishers, nodes);
  };
  const store = (namespace: string): RegistryStore => {
    const found = stores.get(namespace) ?? freshStore();
    stores.set(namespace, found);
    return found;
  };
  store('');
  return {
    stores,
    freshStore,
    store,
    uploads: new Map(),
    cutUploads: new Set(),
    shelf: new ArchiveShelf(),
    signer: new AddressSigner(ids),
    requestCounts: new Map(),
  };
}

function inUtc(at: number): string {
  return new Date(at).toISOString();
}

/** RFC 3339 allows more than one spelling. */
function withOffset(at: number): string {
  return `${new Date(at + 3_600_000).toISOString().slice(0, -1)}000+01:00`;
}
