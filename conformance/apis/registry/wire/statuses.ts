/** Document 2, States and transitions. */
export const STATUSES = {
  node: ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned'],
  version: [
    'NodeVersionStatusActive',
    'NodeVersionStatusDeleted',
    'NodeVersionStatusBanned',
    'NodeVersionStatusPending',
    'NodeVersionStatusFlagged',
  ],
  publisher: ['PublisherStatusActive', 'PublisherStatusBanned'],
} as const;
