import type { ModuleFlag, ModuleOptions, ModuleSettings } from '../module-settings.ts';
import type { RegistryOptions } from './options.ts';
import { publisherForm } from './stored-forms.ts';

const flags: readonly ModuleFlag[] = [
  {
    flags: '--publisher <ids>',
    description: 'more publishers, besides those of the mock; every token may publish for them',
    isList: true,
    put: (ids, options) =>
      withRegistry(options, {
        publishers: [...(options.registry?.publishers ?? []), ...ids.map((id) => ({ id }))],
      }),
  },
  {
    flags: '--webhooks <hosts>',
    description: 'hosts whose webhook_url is called: loopback, any, or names (default: none)',
    isList: true,
    put: (hosts, options) =>
      withRegistry(options, {
        webhooks: hosts.includes('any')
          ? { deliver: true, hosts: 'any' }
          : hosts.includes('loopback')
            ? { deliver: true }
            : { deliver: true, hosts },
      }),
  },
];

export const registrySettings: ModuleSettings = {
  members: {
    registry: {
      members: {
        publishers: {
          listOf: {
            members: {
              id: 'string',
              name: 'string',
              members: publisherForm.members.members,
              nodes: { listOf: 'string' },
            },
            required: ['id'],
          },
        },
        accessTokens: { mapOf: 'string' },
        acceptTokenWithoutBearer: 'boolean',
        archiveLimit: 'number',
        webhooks: {
          members: { deliver: 'boolean', hosts: { orWord: 'any', listOf: 'string' }, timeoutMs: 'number' },
          required: ['deliver'],
        },
      },
    },
  },
  flags,
};

// --- internal ---

function withRegistry(options: ModuleOptions, registry: RegistryOptions): ModuleOptions {
  return { ...options, registry: { ...options.registry, ...registry } };
}
