/** The type of a member as the tables of document 2 state it. */
export type MemberType = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'objects by name';

type Table = Readonly<Record<string, MemberType>>;

/** Document 2, Node, NodeVersion, Publisher, PublisherMember and PublisherUser, tables; without members that are objects. */
export const TABLES = {
  node: {
    id: 'string',
    name: 'string',
    description: 'string',
    author: 'string',
    banner_url: 'string',
    icon: 'string',
    category: 'string',
    tags: 'strings',
    tags_admin: 'strings',
    created_at: 'string',
    downloads: 'integer',
    code_host_stars: 'integer',
    rating: 'number',
    search_ranking: 'integer',
    license: 'string',
    repository: 'string',
    status: 'string',
    status_detail: 'string',
    preempted_service_node_names: 'strings',
    supported_accelerators: 'strings',
    supported_app_version: 'string',
    supported_app_frontend_version: 'string',
    supported_os: 'strings',
    translations: 'objects by name',
  },
  version: {
    id: 'string',
    node_id: 'string',
    version: 'string',
    changelog: 'string',
    createdAt: 'string',
    dependencies: 'strings',
    deprecated: 'boolean',
    downloadUrl: 'string',
    status: 'string',
    status_reason: 'string',
    service_node_extract_status: 'string',
    supported_accelerators: 'strings',
    supported_app_version: 'string',
    supported_app_frontend_version: 'string',
    supported_os: 'strings',
    tags: 'strings',
    tags_admin: 'strings',
  },
  publisher: {
    id: 'string',
    name: 'string',
    description: 'string',
    logo: 'string',
    website: 'string',
    support: 'string',
    source_code_repo: 'string',
    createdAt: 'string',
    status: 'string',
  },
  member: { id: 'string', role: 'string' },
  user: { id: 'string', name: 'string', email: 'string' },
} as const satisfies Readonly<Record<string, Table>>;

/** The members of each table that are objects, or lists of objects. */
export const INNER = {
  node: { latest_version: 'one', publisher: 'one' },
  version: {},
  publisher: { members: 'many' },
  member: { user: 'one' },
  user: {},
} as const satisfies Readonly<Record<keyof typeof TABLES, Readonly<Record<string, 'one' | 'many'>>>>;

/** The path of a table's object in a publication. */
export const PLACES = [
  { table: 'node', path: ['node'] },
  { table: 'version', path: ['node_version'] },
  { table: 'version', path: ['node', 'latest_version'] },
  { table: 'publisher', path: ['node', 'publisher'] },
  { table: 'member', path: ['node', 'publisher', 'members', 0] },
  { table: 'user', path: ['node', 'publisher', 'members', 0, 'user'] },
] as const satisfies readonly {
  readonly table: keyof typeof TABLES;
  readonly path: readonly (string | number)[];
}[];
