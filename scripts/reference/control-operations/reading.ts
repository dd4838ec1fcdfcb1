import { anything, type ControlOperation, list, members, whole } from './operation.ts';

/** Read-only resources: costs, callers, documents, rules, fixtures. */
export const readingOperations: readonly ControlOperation[] = [
  {
    id: 'getLedger',
    method: 'get',
    path: '/ledger',
    summary: 'Read the cost of the calls, and which retries would be charged again',
    answer: 'Ledger',
  },
  {
    id: 'listCallers',
    method: 'get',
    path: '/callers',
    summary: 'List callers and their open items',
    answer: 'CallerList',
  },
  {
    id: 'getReference',
    method: 'get',
    path: '/reference',
    summary: 'Read operations, rules and open points of the contracts',
    answer: 'Reference',
  },
  {
    id: 'getOperation',
    method: 'get',
    path: '/operations/{api}/{id}',
    summary: 'Read one operation, with a sample call',
    answer: 'OperationShape',
  },
  {
    id: 'getControlDocument',
    method: 'get',
    path: '/openapi',
    summary: 'Read this document',
    answer: anything,
  },
  {
    id: 'getDocument',
    method: 'get',
    path: '/openapi/{api}',
    summary: 'Read the OpenAPI document of an API',
    answer: anything,
  },
  {
    id: 'getDispatches',
    method: 'get',
    path: '/dispatches',
    summary: 'Count the calls that reached each model since the last reset',
    answer: members({ dispatches: whole, byModel: { type: 'object', additionalProperties: whole } }),
  },
  {
    id: 'getFixtures',
    method: 'get',
    path: '/fixtures',
    summary: 'Read a fixtures file for the suite',
    answer: anything,
  },
  {
    id: 'listAssumptions',
    method: 'get',
    path: '/assumptions',
    summary: 'List open points and the choices of the mock',
    answer: members({ assumptions: list(anything) }),
  },
];
