import type { Form } from '../../../contract/index.ts';

/** The forms of what is kept, where it comes from outside. */
export const publisherForm = {
  members: {
    id: 'string',
    name: 'string',
    createdAt: 'number',
    status: 'string',
    members: { listOf: { members: { user: 'string', role: 'string' }, required: ['user', 'role'] } },
  },
  required: ['id', 'name', 'createdAt', 'status', 'members'],
} as const satisfies Form;

export const archiveForm: Form = {
  members: { size: 'number', sha256: 'string', contentType: 'string', uploadedAt: 'number' },
  required: ['size', 'sha256', 'uploadedAt'],
};

export const versionForm: Form = {
  members: {
    id: 'string',
    nodeId: 'string',
    version: 'string',
    createdAt: 'number',
    publishedBy: 'string',
    said: { mapOf: 'anything' },
    status: 'string',
    statusReason: 'string',
    archive: archiveForm,
  },
  required: ['id', 'nodeId', 'version', 'createdAt', 'publishedBy', 'said', 'status'],
};

export const nodeForm: Form = {
  members: {
    id: 'string',
    publisherId: 'string',
    createdAt: 'number',
    status: 'string',
    said: { mapOf: 'anything' },
    versions: { listOf: versionForm },
  },
  required: ['id', 'publisherId', 'createdAt', 'status', 'said'],
};

export const taskForm: Form = {
  members: { id: 'string', partner: 'string', startedAt: 'number', settings: { mapOf: 'anything' } },
  required: ['id', 'partner', 'startedAt', 'settings'],
};
