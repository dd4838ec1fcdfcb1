import type { ModuleSettings } from '../module-settings.ts';

export const routerSettings: ModuleSettings = {
  members: {
    models: {
      listOf: {
        members: {
          provider: 'string',
          model: 'string',
          state: { oneOf: ['listed', 'unreleased', 'trimmed'] },
          chargesOnPolicyRejection: 'string',
          inputSchema: { mapOf: 'anything' },
          creditsHeader: 'boolean',
          cents: 'number',
        },
        required: ['provider', 'model', 'state', 'chargesOnPolicyRejection', 'cents'],
      },
    },
  },
  flags: [],
};
