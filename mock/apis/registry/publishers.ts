import type { RegistryFacts } from './facts.ts';
import type { RegistryOptions } from './options.ts';
import type { Publisher, RegistryNode } from './stored-forms.ts';

/** Ids of the fictitious publishers and nodes that tests and fixtures rely on. */
export const made = {
  publisher: 'acme',
  node: 'acme-upscaler',
  secondNode: 'acme-denoiser',
  foreignPublisher: 'birch',
  foreignNode: 'birch-toolbox',
  bannedPublisher: 'cedar',
} as const;

/** The user of a token of the mock without a user name. */
export const EVERYDAY_USER = 'mock-user';

/** Members with these roles may publish. */
const PUBLISHING_ROLES = ['owner', 'developer'];

/** The publishers and nodes of a fresh registry, with those of the options. All of them are fictitious. */
export function seedRegistry(
  facts: RegistryFacts,
  options: RegistryOptions,
  now: number,
): { readonly publishers: readonly Publisher[]; readonly nodes: readonly RegistryNode[] } {
  const active = facts.stateOf('PublisherStatus', 'Active');
  const publisher = (
    id: string,
    name: string,
    members: Publisher['members'],
    status = active,
  ): Publisher => ({
    id,
    name,
    createdAt: now,
    status,
    members,
  });
  const node = (publisherId: string, id: string): RegistryNode => ({
    id,
    publisherId,
    createdAt: now,
    status: facts.stateOf('NodeStatus', 'Active'),
    said: {},
    versions: [],
  });
  const own = options.publishers ?? [];
  const everyday = { user: EVERYDAY_USER, role: 'owner' };
  const publishers = [
    publisher(made.publisher, 'Acme', [
      everyday,
      { user: 'developer', role: 'developer' },
      { user: 'viewer', role: 'viewer' },
    ]),
    publisher(made.foreignPublisher, 'Birch', [{ user: 'stranger', role: 'owner' }]),
    publisher(made.bannedPublisher, 'Cedar', [everyday], facts.stateOf('PublisherStatus', 'Banned')),
    ...own.map(({ id, name = id, members = [everyday] }) => {
      if (!isPublisherId(id))
        throw new RangeError(`registry.publishers: an id is in lower case, got ${JSON.stringify(id)}.`);
      return publisher(id, name, members);
    }),
  ];
  const nodes = [
    node(made.publisher, made.node),
    node(made.publisher, made.secondNode),
    node(made.foreignPublisher, made.foreignNode),
    ...own.flatMap(({ id, nodes: ids = [] }) => ids.map((nodeId) => node(id, nodeId))),
  ];
  return { publishers, nodes };
}

/** Similar to a user name, in lower case (document 2, "Publisher", row id). */
export function isPublisherId(id: string): boolean {
  return /^[\w.-]{1,64}$/.test(id) && id === id.toLowerCase();
}

/** Whether a user may publish for a publisher. */
export function mayPublish(publisher: Publisher, user: string): boolean {
  return publisher.members.some((member) => member.user === user && PUBLISHING_ROLES.includes(member.role));
}

/**
 * The user of an access token (open point A-41): a token from the options, or a built-in one, which has its
 * user's name after the prefix. `undefined` for every other text.
 */
export function userOf(
  token: string,
  options: {
    readonly prefix: string;
    readonly accessTokens: Readonly<Record<string, string>>;
    readonly publishers: Iterable<Publisher>;
  },
): string | undefined {
  if (Object.hasOwn(options.accessTokens, token)) return options.accessTokens[token];
  if (!token.startsWith(options.prefix)) return undefined;
  const name = token.slice(options.prefix.length);
  const users = [...options.publishers].flatMap(({ members }) => members.map(({ user }) => user));
  return users.includes(name) ? name : EVERYDAY_USER;
}
