import { expect, test } from 'vitest';
import { documentOf, filesOf, textOf } from './generated.ts';

// Documents that programs write repeat their objects in every place. The types have each of them once.

const words = Array.from({ length: 12 }, (_, index) => `member${String(index)}`);
const inside = {
  type: 'object',
  properties: Object.fromEntries(words.map((word) => [word, { type: 'string' }])),
};
const owner = {
  type: 'object',
  properties: { ...inside.properties, home: inside },
};
const short = { type: 'object', properties: { x: { type: 'integer' } } };
const schemas = {
  Issue: {
    type: 'object',
    required: ['user'],
    properties: { user: { ...owner, description: 'Who wrote it.' }, at: short },
  },
  Pull: {
    type: 'object',
    properties: { author: owner, readers: { type: 'array', items: owner }, at: short, to: short },
  },
};

test('a long object that occurs often has a name, and keeps the comments of its places', async () => {
  const types = textOf(await filesOf(documentOf(schemas)), 'sample/types.ts').replace(/\s+/g, ' ');
  const members = words.map((word) => `${word}?: string;`).join(' ');
  expect(types).toContain(`export type IssueUser = { ${members} home?: { ${members} }; };`);
  expect(types).toContain(
    'export interface Issue { /** Who wrote it. */ user: IssueUser; at?: { x?: number; }; }',
  );
  expect(types).toContain(
    'export interface Pull { author?: IssueUser; readers?: IssueUser[]; at?: { x?: number; }; to?: { x?: number; }; }',
  );
});

test('its name steps aside for the names of the document', async () => {
  const taken = { ...schemas, IssueUser: { type: 'string' } };
  const types = textOf(await filesOf(documentOf(taken)), 'sample/types.ts').replace(/\s+/g, ' ');
  expect(types).toContain('export type IssueUser = string;');
  expect(types).toContain('user: IssueUser2;');
});
