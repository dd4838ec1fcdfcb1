import { uniquenessClaim, type UniquenessClaim } from '../../../contract/policies/uniqueness.ts';
import { pathParameter } from '../../call/path-parameter.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import type { Answer } from '../../call/answer.ts';
import type { Call } from '../../call/call.ts';
import { isDecodable } from '../../call/front.ts';
import type { PublishCheck } from './assumptions.ts';
import { refuse, storeOf, type RegistryRefusal, type Registry } from './context.ts';
import { accessRefusal, missingCredential } from './credentials.ts';
import { bodyFault, misfitOf, readOnlyMisfits, tooDeep, type BodyMisfit } from './misfits.ts';
import { mayPublish, userOf } from './publishers.ts';
import { VERSION_TAKEN } from './scenarios.ts';
import { compareVersions, readVersion, type SemanticVersion } from './semantic-version.ts';
import { storedMembers } from './view.ts';
import { isRecord } from '../../../contract/index.ts';

type Check = (registry: Registry, call: Call) => Answer | undefined;

/**
 * The checks before a version is entered, by name. Their order is open point A-43 and configurable, so each
 * is independent: a check that needs a body refuses a request without one.
 */
export const publishChecks: Readonly<Record<PublishCheck, Check>> = {
  bearer: (registry, call) => {
    const missing = missingCredential(registry, call);
    if (missing === undefined) return accessRefusal(registry, call);
    if (missing === 'unusable') {
      const because = { policy: 'credentials', case: 'refused' };
      const { status } = registry.assume('A-42');
      return forbid(registry, call, 'This bearer cannot be used here.', { status, because });
    }
    if (registry.options.acceptTokenWithoutBearer === true) return undefined;
    const because = { policy: 'credentials', case: 'none' };
    return forbid(registry, call, 'Send a bearer.', { status: registry.assume('A-40').status, because });
  },

  json: (registry, call) => {
    const isMissing = call.request.body().kind === 'none';
    const fault = isMissing ? 'The body is missing: send a JSON object.' : bodyFault(call);
    return fault === undefined ? undefined : badRequest(registry, call, fault);
  },

  requiredMembers: (registry, call) => {
    const body = bodyOf(call);
    const required = registry.mechanisms.requiredOf(registry, call);
    const missing = required.filter((member) => !Object.hasOwn(body, member));
    if (missing.length === 0) return undefined;
    const words = `${missing.map((member) => `/${member}`).join(', ')} must be there.`;
    return badRequest(registry, call, words);
  },

  types: (registry, call) => {
    const misfits = registry.mechanisms.misfitsOf(registry, call);
    if (misfits.length === 0) return undefined;
    const shown = misfits.slice(0, 3).map(({ pointer, what }) => `${pointer.slice(0, 200)} ${what}`);
    return badRequest(registry, call, `${shown.join('; ')}.`);
  },

  accessToken: (registry, call) => {
    if (registry.mechanisms.userOfCall(registry, call) !== undefined) return undefined;
    const { otherStatus: status } = registry.assume('A-41');
    const message = 'The access token does not permit this.';
    return forbid(registry, call, message, { status, because: 'A-41' });
  },

  rightOnPublisher: (registry, call) => {
    const store = storeOf(registry, call);
    const publisherId = pathParameter(call, 'publisherId');
    const publisher = store.publishers.get(publisherId);
    const user = registry.mechanisms.userOfCall(registry, call) ?? '';
    if (publisher === undefined || !mayPublish(publisher, user))
      return forbid(registry, call, `You may not publish for ${publisherId.slice(0, 100)}.`);
    if (publisher.status !== registry.facts.stateOf('PublisherStatus', 'Active'))
      return forbid(registry, call, `${publisherId} is banned.`);
    return nodeRefusal(registry, call);
  },

  semanticVersion: (registry, call) => {
    const text = versionOf(call);
    const version =
      typeof text === 'string' ? registry.mechanisms.versionRead(registry, call, text) : undefined;
    if (version === undefined) {
      const given = typeof text === 'string' ? `, not ${JSON.stringify(text.slice(0, 80))}` : '';
      const message = `${VERSION} must be a semantic version${given}.`;
      return refuse(registry, call, { status: 400, error: 'invalid_version', message });
    }
    const node = storeOf(registry, call).nodes.get(pathParameter(call, 'nodeId'));
    const later = node?.versions.find((known) => {
      const other = readVersion(known.version);
      return other !== undefined && compareVersions(other, version) > 0;
    });
    if (later === undefined || !registry.assume('A-49').versionsMustRise) return undefined;
    return badRequest(registry, call, `${VERSION} must be higher than ${later.version}.`, 'A-49');
  },

  uniqueness: (registry, call) => {
    const wanted = scenarioOf(call.facts);
    const isTaken = registry.mechanisms.isTaken(registry, call);
    if (!isTaken && wanted !== VERSION_TAKEN) return undefined;
    if (wanted === VERSION_TAKEN) call.facts.scenario = VERSION_TAKEN;
    const { status, error } = registry.assume('A-44');
    const version = String(versionOf(call)).slice(0, 80);
    const message = `${VERSION} must be new: ${version} is published already.`;
    return refuse(registry, call, {
      status,
      error,
      message,
      because: { policy: 'uniqueness', case: 'taken' },
    });
  },
};

/** The user whose permission to publish the access token proves, regardless of the rest of the body. */
export function userOfCall(registry: Registry, call: Call): string | undefined {
  const [tokenMember = ''] = registry.facts.secrets;
  const token = bodyOf(call)[tokenMember];
  const store = storeOf(registry, call);
  const { prefix } = registry.assume('A-41');
  if (typeof token !== 'string') return undefined;
  const { accessTokens = {} } = registry.options;
  return userOf(token, { prefix, accessTokens, publishers: store.publishers.values() });
}

/** Whether another version already has the claimed value. */
export function isTaken(registry: Registry, call: Call): boolean {
  return storeOf(registry, call).isTaken(claimOf(registry, call).within);
}

/** The required members of a publication. */
export function requiredOf({ facts }: Registry, { operation }: Call): readonly string[] {
  return facts.bodyOf(operation).required ?? [];
}

export function versionRead(_registry: Registry, _call: Call, text: string): SemanticVersion | undefined {
  return readVersion(text);
}

/** The unique value that the version of a call would claim. */
export function claimOf({ facts }: Registry, call: Call): UniquenessClaim {
  return uniquenessClaim(facts.uniqueness, bodyOf(call), (name) => pathParameter(call, name));
}

/** The members of the body; empty if it is not a JSON object. */
export function bodyOf(call: Call): Readonly<Record<string, unknown>> {
  const body = call.request.body();
  return body.kind === 'json' && isRecord(body.value) ? body.value : {};
}

/** The version to publish, as written in the body. */
export function versionOf(call: Call): unknown {
  const submitted = bodyOf(call)['node_version'];
  return isRecord(submitted) && Object.hasOwn(submitted, 'version') ? submitted['version'] : undefined;
}

/**
 * Members with a wrong type: those that Prism found, then those that Prism ignores. Missing members are not
 * included.
 */
export function misfitsOf(registry: Registry, call: Call): readonly BodyMisfit[] {
  const found = call.findings.filter(
    ({ at, keyword }) => at.startsWith('body') && !['required', '415'].includes(keyword),
  );
  if (found.length > 0) return found.map(misfitOf);
  const body = bodyOf(call);
  const wrong = readOnlyMisfits(registry.facts, registry.facts.bodyOf(call.operation), body);
  if (wrong.length > 0) return wrong;
  const kept = {
    node: storedMembers(registry.facts, 'Node', isRecord(body['node']) ? body['node'] : {}),
  };
  const nodeId = pathParameter(call, 'nodeId');
  const isOddId =
    nodeId.length > LONGEST_NODE_ID || !isDecodable(nodeId) || /[\u0000-\u001f\u007f]/.test(nodeId);
  const oddId = isOddId ? { pointer: 'nodeId', what: 'in the path must be the id of a node' } : undefined;
  return [tooDeep(kept), oddId].filter((misfit) => misfit !== undefined);
}

// --- internal ---

const VERSION = '/node_version/version';
const LONGEST_NODE_ID = 200;

function forbid(
  registry: Registry,
  call: Call,
  message: string,
  { status = 403, because }: Pick<Partial<RegistryRefusal>, 'status' | 'because'> = {},
): Answer {
  return refuse(registry, call, { status, error: 'forbidden', message, because });
}

function badRequest(registry: Registry, call: Call, message: string, because?: string): Answer {
  return refuse(registry, call, { status: 400, error: 'bad_request', message, because });
}

/** A node has one publisher, and its status can forbid further versions. */
function nodeRefusal(registry: Registry, call: Call): Answer | undefined {
  const nodeId = pathParameter(call, 'nodeId');
  const node = storeOf(registry, call).nodes.get(nodeId);
  const named = nodeId.slice(0, 100);
  if (node === undefined) {
    if (registry.assume('A-43').unknownNode === 'created') return undefined;
    return badRequest(registry, call, `There is no node ${named}.`, 'A-43');
  }
  if (node.publisherId !== pathParameter(call, 'publisherId'))
    return forbid(registry, call, `The node ${named} belongs to another publisher.`);
  if (node.status === registry.facts.stateOf('NodeStatus', 'Active')) return undefined;
  return forbid(registry, call, `The node ${named} accepts no versions: ${node.status}.`);
}
