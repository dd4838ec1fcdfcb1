// @ts-check
import { defineConfig } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

import { foldersApart, keptToOnePlace, webStandardsOnly } from './scripts/import-table.js';

const noEnums = { selector: 'TSEnumDeclaration', message: 'Use a union of literals: sources are erasable.' };

/** Ways to let turns of the event loop or milliseconds pass until something has probably happened. */
const waits = [
  "NewExpression[callee.name='Promise'] CallExpression[callee.name=/^(setTimeout|setImmediate|queueMicrotask)$/][arguments.0.type='Identifier']",
  "NewExpression[callee.name='Promise'][arguments.0.name=/^(setImmediate|queueMicrotask)$/]",
  "CallExpression[callee.property.name='nextTick']",
  'ImportDeclaration[source.value=/^(node:)?timers\\u002Fpromises$/]',
  "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/]",
  ":matches(ForStatement, WhileStatement, DoWhileStatement) AwaitExpression > CallExpression[callee.object.name='Promise'][callee.property.name='resolve'][arguments.length=0]",
].map((selector) => ({
  selector,
  message:
    'Wait for the fact, with until(…) of test/until.ts: so many turns or milliseconds are enough only on an idle machine.',
}));

// Rules that need types are in .oxlintrc.json.
const typescriptFiles = ['**/*.ts', '**/*.tsx', '**/*.cts'];

export default defineConfig(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      'dist.*/**',
      '.site/**',
      'coverage/**',
      'generated/**',
      'test/fixtures/**',
      '**/.tallystick/**',
      '**/tallystick-report/**',
      // Projects of their own, with a compiler configuration of their own.
      'examples/*/project/**',
    ],
  },
  {
    files: typescriptFiles,
    extends: [tseslint.configs.strict],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
    },
    languageOptions: { parser: tseslint.parser },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': ['error', noEnums],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'import-x/no-default-export': 'error',
      'import-x/no-duplicates': 'error',
      'import-x/no-self-import': 'error',
      'import-x/no-restricted-paths': [
        'error',
        { basePath: import.meta.dirname, zones: [...foldersApart, ...keptToOnePlace] },
      ],
    },
  },
  {
    // contract/ makes what engine/ takes, and runs none of it.
    files: ['contract/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/engine/*'], allowTypeImports: true, message: 'Types only.' }] },
      ],
    },
  },
  {
    // What ships imports what ships.
    files: [
      'cli/**/*.ts',
      'conformance/**/*.ts',
      'contract/**/*.ts',
      'engine/**/*.ts',
      'generator/**/*.ts',
      'mock/**/*.ts',
      'server/**/*.ts',
    ],
    // The page is built into what ships, with everything that it imports.
    ignores: ['mock/inspector/**'],
    rules: {
      'import-x/no-extraneous-dependencies': ['error', { devDependencies: false, includeTypes: false }],
    },
  },
  {
    // Strangers choose what patterns are matched against: each takes time that grows with the text, and no faster.
    files: ['**/*.{ts,tsx,cts,js,mjs,cjs}'],
    ignores: ['test/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
    },
  },
  {
    files: [...webStandardsOnly.map((folder) => `${folder}/**/*.ts`), 'mock/inspector/**/*.{ts,tsx}'],
    rules: { 'import-x/no-nodejs-modules': 'error' },
  },
  {
    // CommonJS in old syntax, on purpose.
    files: ['**/*.cts'],
    rules: { 'no-var': 'off', '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/until.ts', 'test/bench/**'],
    rules: { 'no-restricted-syntax': ['error', noEnums, ...waits] },
  },
  {
    files: ['*.config.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    // Programs for a person at a terminal.
    files: [
      'scripts/**',
      'examples/**',
      'test/bench/**',
      'test/kill-matrix/**',
      'test/mutants/**',
      'test/explore/**',
      'test/twin/**',
      'test/closing-line.ts',
      'vitest.config.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
