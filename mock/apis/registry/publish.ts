import { pathParameter } from '../../call/path-parameter.ts';
import { durationMs } from '../../../contract/policies/duration.ts';
import { jsonAnswer } from '../../call/answer.ts';
import { baseUrlOf } from '../../base-url.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { storeOf, type Registry } from './context.ts';
import { bodyOf, claimOf, versionOf } from './publish-checks.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import { UPLOAD_DROPS, UPLOAD_EXPIRED } from './scenarios.ts';
import { compareVersions, readVersion } from './semantic-version.ts';
import type { NodeVersion, RegistryNode } from './stored-forms.ts';
import { uploadPath } from './upload.ts';
import { storedMembers } from './view.ts';
import { isRecord } from '../../../contract/index.ts';

/**
 * Enters a version of a node and returns the upload address for its archive (document 2, "POST
 * /publishers/…/versions").
 */
export function publish(registry: Registry): Behaviour {
  return async (call) => {
    // Synchronous from the first check to the entry: of several versions that arrive together, only one is
    // entered.
    for (const check of registry.assume('A-43').order) {
      const refusal = registry.mechanisms[check](registry, call);
      if (refusal !== undefined) return refusal;
    }
    const { node, version } = await registry.mechanisms.entered(registry, call);
    const { views, profile } = registry;
    const owner = storeOf(registry, call).publishers.get(node.publisherId);
    return jsonAnswer(201, {
      node_version: views.version(version),
      signedUrl: signedUrl(registry, call, version),
      // The contract does not exclude other members in the answer.
      ...(profile === 'legal-but-odd' ? { node: views.node(node, owner) } : {}),
    });
  };
}

export type Entered = { readonly node: RegistryNode; readonly version: NodeVersion };

/** Enters the version, and its node if that is new. */
export function entered(registry: Registry, call: Call): Entered | Promise<Entered> {
  const { facts, clock, assume, state } = registry;
  const store = storeOf(registry, call);
  const body = bodyOf(call);
  const submitted = (member: string): Readonly<Record<string, unknown>> => {
    const value = body[member];
    return isRecord(value) ? value : {};
  };
  const nodeId = pathParameter(call, 'nodeId');
  const now = clock.now();
  const version: NodeVersion = {
    id: registry.ids.uuid('version', (id) => state.uploads.has(id)),
    nodeId,
    version: String(versionOf(call)),
    createdAt: now,
    publishedBy: registry.mechanisms.userOfCall(registry, call) ?? '',
    said: storedMembers(facts, 'NodeVersion', submitted('node_version')),
    status: assume('A-46').initial,
  };
  const said = storedMembers(facts, 'Node', submitted('node'));
  const known = store.nodes.get(nodeId);
  const node: RegistryNode = known ?? {
    id: nodeId,
    publisherId: pathParameter(call, 'publisherId'),
    createdAt: now,
    status: facts.stateOf('NodeStatus', 'Active'),
    said: {},
    versions: [],
  };
  const { id: otherId } = submitted('node');
  if (typeof otherId === 'string' && otherId !== nodeId)
    call.note('node', 'the id in the path counts, not that in the body', 'A-92');
  if (
    known !== undefined &&
    known.versions.some((other) => isSameButForBuild(other.version, version.version))
  )
    call.note('version', 'another one, by its build number alone', 'A-93');
  const { within, everywhere } = claimOf(registry, call);
  const claims = [within, everywhere];
  store.enter(node, version, { claims, said });
  const { versions: _others, ...written } = node;
  const namespace = call.facts.caller?.namespace ?? '';
  registry.keep?.({ ...{ part: 'registry.version', namespace, node: written }, version, claims });
  state.uploads.set(version.id, version);
  call.note('publish', known === undefined ? 'a version of a new node' : 'a version of a known node', 'A-46');
  return { node, version };
}

// --- internal ---

function isSameButForBuild(one: string, other: string): boolean {
  const [left, right] = [readVersion(one), readVersion(other)];
  return left !== undefined && right !== undefined && one !== other && compareVersions(left, right) === 0;
}

/** Absolute, on the mock itself, and valid for a limited time (open point A-48). */
function signedUrl(registry: Registry, call: Call, { id }: NodeVersion): string {
  const path = uploadPath(id);
  const isExpired = scenarioOf(call.facts) === UPLOAD_EXPIRED;
  if (isExpired) call.facts.scenario = UPLOAD_EXPIRED;
  if (scenarioOf(call.facts) === UPLOAD_DROPS) {
    call.facts.scenario = UPLOAD_DROPS;
    registry.state.cutUploads.add(id);
  }
  const lifetimeMs = isExpired ? -2_000 : durationMs(registry.assume('A-48').lifetime);
  const expires = Math.ceil((registry.clock.now() + lifetimeMs) / 1_000);
  call.note('upload address', `until ${new Date(expires * 1_000).toISOString()}`, 'A-48');
  const base = baseUrlOf(call.request, registry.publicUrl) ?? 'http://localhost';
  return `${base}${path}?${registry.state.signer.sign(path, expires)}`;
}
