import type { RegistryFacts } from './facts.ts';
import type { NodeVersion, Publisher, RegistryNode } from './stored-forms.ts';

/** How resources of the registry are shown. Unknown members are left out. */
export interface Views {
  readonly version: (version: NodeVersion) => Readonly<Record<string, unknown>>;
  readonly node: (node: RegistryNode, publisher: Publisher | undefined) => Readonly<Record<string, unknown>>;
  readonly publisher: (publisher: Publisher) => Readonly<Record<string, unknown>>;
}

/** @param time formats a point in time, from epoch milliseconds */
export function views(options: {
  readonly showAdminTags: boolean;
  readonly time: (at: number) => string;
}): Views {
  const { showAdminTags, time } = options;
  const shown = (said: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    if (showAdminTags) return said;
    const { [ADMIN_TAGS]: _never, ...rest } = said;
    return rest;
  };
  const version: Views['version'] = (record) => ({
    id: record.id,
    node_id: record.nodeId,
    version: record.version,
    createdAt: time(record.createdAt),
    deprecated: false,
    ...shown(record.said),
    status: record.status,
    ...(record.statusReason === undefined ? {} : { status_reason: record.statusReason }),
  });
  const publisher: Views['publisher'] = ({ id, name, createdAt, status, members }) => ({
    id,
    name,
    createdAt: time(createdAt),
    status,
    members: members.map(({ user, role }, index) => ({
      id: `${id}-${String(index + 1)}`,
      role,
      user: { id: user, name: user, email: `${user}@example.com` },
    })),
  });
  return {
    version,
    publisher,
    node: (node, owner) => {
      const latest = node.versions.at(-1);
      return {
        id: node.id,
        ...shown(node.said),
        created_at: time(node.createdAt),
        downloads: 0,
        code_host_stars: 0,
        rating: 0,
        search_ranking: 0,
        status: node.status,
        ...(latest === undefined ? {} : { latest_version: version(latest) }),
        ...(owner === undefined ? {} : { publisher: publisher(owner) }),
      };
    },
  };
}

/** The members of a submission that the registry stores; it sets the others itself or ignores them. */
export function storedMembers(
  facts: RegistryFacts,
  schema: 'Node' | 'NodeVersion',
  submitted: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const members = facts.membersOf(schema).filter((member) => !SET_BY_REGISTRY[schema].has(member));
  return Object.fromEntries(
    members.filter((member) => Object.hasOwn(submitted, member)).map((member) => [member, submitted[member]]),
  );
}

// --- internal ---

const ADMIN_TAGS = 'tags_admin';

/** The contract requires it only for the download address; for the others it is the mock's own choice. */
const SET_BY_REGISTRY = {
  Node: new Set([
    'id',
    'created_at',
    'downloads',
    'code_host_stars',
    'rating',
    'search_ranking',
    'latest_version',
    'publisher',
    'status',
    'status_detail',
  ]),
  NodeVersion: new Set([
    'id',
    'node_id',
    'version',
    'createdAt',
    'downloadUrl',
    'status',
    'status_reason',
    'service_node_extract_status',
  ]),
} as const;
