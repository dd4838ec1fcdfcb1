import { expect, test } from 'vitest';
import { planConformance, renderPlan } from '../../conformance/index.ts';
import type { PlanOptions } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { routerContract } from './servers.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes: { get: { operationId: listNotes, responses: { '200': { description: All. } } } }
`;

const baseUrl = 'https://api.example.com';

test('a plan says that --explore and --fuzz send nothing for a contract without a model', async () => {
  const contracts = [await own('notes', DOCUMENT), ...(await routerContract())];
  const planned = (options: Partial<PlanOptions>): string =>
    renderPlan(planConformance({ contracts, baseUrl, ...options }));
  expect(planned({ explore: 20 })).toContain('--explore sends nothing for notes: a search needs a model');
  // The caller does not ask for the modest search that is the default.
  expect(planned({})).not.toContain('--explore');
  expect(planned({ explore: 0 })).not.toContain('--explore');
  expect(planned({ contracts: contracts.slice(1), explore: 20 })).not.toContain('--explore');
  expect(planned({ fuzz: 20 })).toContain('--fuzz sends nothing for notes: random requests need');
  expect(planned({ contracts: contracts.slice(1), fuzz: 20 })).not.toContain('sends nothing');
});
