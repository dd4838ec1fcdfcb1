import type { Form } from '../../../contract/index.ts';
import type { Formed } from '../../../contract/form.ts';
import { changeOf, type ChangeOf } from '../../state/durable-state.ts';

/** A stored publisher. The members act for it; personal details are made up when they are shown. */
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
export type Publisher = Formed<typeof publisherForm>;

/** A received upload: its size in bytes, and its hash in lower-case hexadecimal. */
const archiveForm = {
  members: { size: 'number', sha256: 'string', contentType: 'string', uploadedAt: 'number' },
  required: ['size', 'sha256', 'uploadedAt'],
} as const satisfies Form;
export type Archive = Formed<typeof archiveForm>;

const versionForm = {
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
} as const satisfies Form;
export type NodeVersion = Formed<typeof versionForm>;

/** `said`: the data from its publications; later ones override earlier ones. Its versions have the order of publication. */
const nodeForm = {
  members: {
    id: 'string',
    publisherId: 'string',
    createdAt: 'number',
    status: 'string',
    said: { mapOf: 'anything' },
    versions: { listOf: versionForm },
  },
  required: ['id', 'publisherId', 'createdAt', 'status', 'said'],
} as const satisfies Form;
export type WrittenNode = Formed<typeof nodeForm>;
export type RegistryNode = WrittenNode & Required<Pick<WrittenNode, 'versions'>>;

/** A task of the partner. It proceeds with the clock. */
const taskForm = {
  members: { id: 'string', partner: 'string', startedAt: 'number', settings: { mapOf: 'anything' } },
  required: ['id', 'partner', 'startedAt', 'settings'],
} as const satisfies Form;
export type Task = Formed<typeof taskForm>;

/** The forms of the changes that this API records, by part. */
export const registryChanges = {
  'registry.signer': changeOf({ secret: 'string' }),
  'registry.task': changeOf({ namespace: 'string', task: taskForm }),
  /** A received upload; its bytes are not stored. */
  'registry.archive': changeOf({ id: 'string', archive: archiveForm }),
  /** A published version, with the current state of its node. */
  'registry.version': changeOf({
    namespace: 'string',
    node: nodeForm,
    version: versionForm,
    claims: { listOf: 'string' },
  }),
  /** A whole registry, after the control API changed it. */
  'registry.store': changeOf({
    namespace: 'string',
    publishers: { listOf: publisherForm },
    nodes: { listOf: nodeForm },
    claims: { listOf: 'string' },
    tasks: { listOf: taskForm },
  }),
};
export type RegistryChange = ChangeOf<typeof registryChanges>;
