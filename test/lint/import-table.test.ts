import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const importRules = [
  'import-x/no-restricted-paths',
  'import-x/no-nodejs-modules',
  'import-x/no-extraneous-dependencies',
  'import-x/no-default-export',
  '@typescript-eslint/no-restricted-imports',
];

/** The project's own configuration, without the rules that ask the type checker about a file that is not on disk. */
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => importRules.includes(ruleId),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

const findings = async (file: string, code: string): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: `${root}${file}` });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
};

const forbidden: [file: string, code: string][] = [
  ['contract/x.ts', "import '../mock/state/clock.ts';"],
  ['contract/x.ts', "export * from '../conformance/http/transport.ts';"],
  ['contract/x.ts', "import 'commander';"],
  ['contract/x.ts', "import { serverOf } from '../engine/serve.ts';"],
  ['contract/policies/x.ts', "import type { Json } from '../model.ts';"],
  ['contract/policies/x.ts', "import 'ajv';"],
  ['contract/policies/x.ts', "import 'node:fs';"],
  ['mock/x.ts', "import { jobsModule } from './apis/jobs/module.ts';"],
  ['mock/deviations/x.ts', "import type { RouterMechanisms } from '../apis/router/mechanisms.ts';"],
  ['mock/apis/jobs/submit.ts', "import { reused } from './deviations/parts.ts';"],
  ['mock/apis/router/run.ts', "import { deviate } from '../../deviations/deviation.ts';"],
  ['mock/state/durable-state.ts', "import { deviate } from '../deviations/deviation.ts';"],
  ['cli/x.ts', "import type { JobsOptions } from '../mock/apis/jobs/options.ts';"],
  ['generator/x.ts', "import '../mock/state/clock.ts';"],
  ['generator/x.ts', "import 'handlebars';"],
  ['generator/validators/x.ts', "import { Ajv2020 } from 'ajv/dist/2020.js';"],
  ['generator/render.ts', "import 'handlebars';"],
  ['generator/x.ts', "import 'fast-check';"],
  ['generator/emitters/x.ts', "import 'ts-morph';"],
  ['generator/views/x.ts', "import 'ts-morph';"],
  ['generator/runtime/x.ts', "import type { Json } from '../../contract/model.ts';"],
  ['generator/runtime/x.ts', "import 'yaml';"],
  ['generator/runtime/x.ts', "import 'node:http';"],
  ['generator/server-runtime/x.ts', "import '../runtime/http.ts';"],
  ['engine/x.ts', "import '../contract/model.ts';"],
  ['engine/x.ts', "import '../generator/server-runtime/node.ts';"],
  ['engine/x.ts', "import 'node:http';"],
  ['engine/x.ts', "import 'yaml';"],
  ['generator/server-runtime/x.ts', "import 'fastify';"],
  ['generator/server-runtime/x.ts', "import 'node:http';"],
  ['generator/runtime/x.ts', "import '../server-runtime/node.ts';"],
  ['generator/runtime/x.ts', "import '../../engine/serve.ts';"],
  ['generator/server-runtime/x.ts', "import '../validation/checks.ts';"],
  ['mock/x.ts', "import '../conformance/http/transport.ts';"],
  ['mock/x.ts', "import '@stoplight/prism-http';"],
  ['mock/x.ts', "export const lazy = () => import('@stoplight/prism-http');"],
  ['mock/x.ts', "import type { Either } from 'fp-ts/Either';"],
  ['mock/router/prism.ts', "import 'fp-ts/Either';"],
  ['mock/x.ts', "import 'typescript';"],
  ['mock/x.ts', "import '../test/lint/import-table.test.ts';"],
  ['mock/x.ts', "import 'preact';"],
  ['mock/x.ts', "import './inspector/window.ts';"],
  ['mock/apis/jobs/x.ts', "import '../../inspector/window.ts';"],
  ['mock/inspector/x.ts', "import type { Clock } from '../state/clock.ts';"],
  ['mock/inspector/views/x.tsx', "import { loadOwnContract } from '../../../contract/index.ts';"],
  ['mock/inspector/x.ts', "import 'node:fs';"],
  ['conformance/x.ts', "import '../contract/policies/policy.ts';"],
  ['conformance/x.ts', "import '../engine/serve.ts';"],
  ['conformance/x.ts', "import '../proxy/proxy.ts';"],
  ['mock/x.ts', "import '../proxy/proxy.ts';"],
  ['proxy/x.ts', "import '../engine/serve.ts';"],
  ['conformance/x.ts', "export const lazy = () => import('../mock/state/clock.ts');"],
  ['conformance/x.ts', "import 'openapi-typescript';"],
  ['conformance/x.ts', "import './apis/jobs/index.ts';"],
  ['conformance/reports/x.ts', "import '../apis/jobs/wire/job.ts';"],
  ['conformance/apis/router/x.ts', "import '../jobs/wire/job.ts';"],
  ['conformance/apis/jobs/oracles/x.ts', "import '../probes/job.ts';"],
  ['conformance/apis/jobs/wire/x.ts', "import '../probes/job.ts';"],
  ['cli/x.ts', "import '../contract/policies/policy.ts';"],
  ['cli/x.ts', "import 'typescript';"],
  ['server/x.ts', "import '../generator/index.ts';"],
  ['server/x.ts', "import '../generator/server-runtime/node.ts';"],
  ['server/x.ts', "import '../contract/index.ts';"],
  ['server/x.ts', "import 'typescript';"],
  ['generator/x.ts', "import '../server/redis.ts';"],
  ['mock/x.ts', 'export default 1;'],
];

test.each(forbidden)('the lint refuses %s: %s', async (file, code) => {
  expect(await findings(file, code)).not.toEqual([]);
});

const allowed: [file: string, code: string][] = [
  ['contract/x.ts', "import './policies/policy.ts';"],
  ['contract/x.ts', "import type { ServedApi } from '../engine/served-api.ts';"],
  ['contract/x.ts', "import 'yaml';"],
  ['contract/policies/x.ts', "import './policy.ts';"],
  ['generator/x.ts', "import '../contract/policies/policy.ts';"],
  ['generator/x.ts', "import 'openapi-typescript';"],
  ['generator/built-templates.ts', "import 'handlebars';"],
  ['generator/handlers.ts', "export const lazy = () => import('ts-morph');"],
  ['generator/emitters/own-compiler.ts', "import type { ts } from 'ts-morph';"],
  ['generator/runtime/x.ts', "import '../../contract/policies/policy.ts';"],
  ['engine/x.ts', "import '../contract/policies/policy.ts';"],
  ['generator/server-runtime/x.ts', "import '../../engine/serve.ts';"],
  ['generator/server-runtime/x.ts', "import '../../contract/policies/policy.ts';"],
  ['mock/x.ts', "import '../contract/policies/policy.ts';"],
  ['mock/prism/x.ts', "import 'fp-ts/Either';"],
  ['mock/inspector/views/x.tsx', "import type { JournalEntry } from '../../journal/journal.ts';"],
  ['mock/inspector/x.ts', "import { signal } from '@preact/signals';"],
  ['mock/inspector/x.ts', "import { shellWord } from '../../contract/plain-text.ts';"],
  ['conformance/x.ts', "import type { Contract } from '../contract/model.ts';"],
  ['server/x.ts', "import '../engine/store.ts';"],
  ['server/x.ts', "import '../contract/policies/policy.ts';"],
  ['cli/x.ts', "import '../mock/state/clock.ts';"],
  ['cli/x.ts', "import 'commander';"],
  ['test/mock/x.test.ts', "import '../../mock/state/clock.ts';"],
];

test.each(allowed)('the lint lets %s import: %s', async (file, code) => {
  expect(await findings(file, code)).toEqual([]);
});
