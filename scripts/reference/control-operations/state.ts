import { anything, type ControlOperation, list, members, text } from './operation.ts';

const snapshotChanges = members({ changes: list(anything) });
const namespace = '/namespaces/{name}';

/** The state as a whole: snapshots, namespaces, reset. */
export const stateOperations: readonly ControlOperation[] = [
  {
    id: 'getSnapshot',
    method: 'get',
    path: '/snapshot',
    summary: 'Read the whole state',
    answer: snapshotChanges,
  },
  {
    id: 'putSnapshot',
    method: 'put',
    path: '/snapshot',
    summary: 'Replace the whole state; with `keep`, journal and forced scenarios stay',
    body: {
      ...{ type: 'object', required: ['changes'] },
      properties: { changes: list(anything), keep: { type: 'boolean' } },
    },
    answer: 'RestoredSnapshot',
  },
  {
    id: 'listSnapshots',
    method: 'get',
    path: '/snapshots',
    summary: 'List saved states',
    answer: 'SnapshotList',
  },
  {
    id: 'saveSnapshot',
    method: 'post',
    path: '/snapshots',
    summary: 'Save the present state under a name',
    body: 'SnapshotToSave',
    answer: 'SnapshotShape',
  },
  {
    id: 'getSnapshotFile',
    method: 'get',
    path: '/snapshots/{name}',
    summary: 'Download a saved state',
    answer: 'SnapshotFile',
  },
  {
    id: 'putSnapshotFile',
    method: 'put',
    path: '/snapshots/{name}',
    summary: 'Upload a saved state',
    body: 'SnapshotFile',
    answer: 'SnapshotShape',
  },
  {
    id: 'restoreSnapshot',
    method: 'post',
    path: '/snapshots/{name}',
    summary: 'Restore a saved state',
    body: 'SnapshotStep',
    answer: 'RestoredSnapshot',
  },
  {
    id: 'removeSnapshot',
    method: 'delete',
    path: '/snapshots/{name}',
    summary: 'Remove a saved state',
    answer: members({ removed: text }),
  },
  {
    id: 'listNamespaces',
    method: 'get',
    path: '/namespaces',
    summary: 'List namespaces',
    answer: 'NamespaceList',
  },
  {
    id: 'putNamespace',
    method: 'put',
    path: namespace,
    summary: 'Make a namespace, or replace it by a fresh one',
    body: 'NamespaceToMake',
    bodyIsOptional: true,
    answer: 'NamespaceList',
  },
  {
    id: 'removeNamespace',
    method: 'delete',
    path: namespace,
    summary: 'Remove a namespace',
    answer: 'NamespaceList',
  },
  {
    id: 'reset',
    method: 'post',
    path: '/reset',
    summary: 'Forget all state',
    answer: members({ reset: { const: true } }),
  },
];
