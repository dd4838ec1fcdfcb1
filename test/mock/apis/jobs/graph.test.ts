import { expect, test } from 'vitest';
import { loadOwnContract } from '../../../../contract/index.ts';
import { assumptionsOf } from '../../../../mock/assumptions.ts';
import { Assets, assetReferences } from '../../../../mock/apis/jobs/assets.ts';
import type { AssumeJobs } from '../../../../mock/apis/jobs/assumptions.ts';
import { jobFacts } from '../../../../mock/apis/jobs/facts.ts';
import { readGraph } from '../../../../mock/apis/jobs/graph.ts';
import { nodeClasses, workMsOf } from '../../../../mock/apis/jobs/node-classes.ts';
import { extraDataFault, readSubmission } from '../../../../mock/apis/jobs/submission.ts';

const contract = await loadOwnContract('jobs');
const assume = assumptionsOf([contract]) as AssumeJobs;
const facts = jobFacts(contract, undefined);
const classes = nodeClasses([{ name: 'Mine', requires: ['a', 'b'] }]);
const node = (class_type: unknown, inputs: unknown = {}): unknown => ({ class_type, inputs });

const graphs: readonly [name: string, graph: unknown, want: unknown][] = [
  ['no object', [], {}],
  ['null', null, {}],
  ['no nodes', {}, {}],
  ['a node that is no object', { '1': 'x' }, { '1': [{ field: '', reason: 'not_a_node' }] }],
  ['no class', { '1': { inputs: {} } }, { '1': [{ field: 'class_type', reason: 'missing_class_type' }] }],
  ['an unknown class', { '1': node('Nope') }, { '1': [{ field: 'class_type', reason: 'unknown_class' }] }],
  [
    'a class called like a member of every object',
    { '1': node('constructor') },
    { '1': [{ field: 'class_type', reason: 'unknown_class' }] },
  ],
  [
    'inputs that are none',
    { '1': node('Fail', []) },
    { '1': [{ field: 'inputs', reason: 'not_an_object' }] },
  ],
  [
    'every missing input',
    { '1': node('Mine', { b: null }) },
    {
      '1': [
        { field: 'a', reason: 'missing_input' },
        { field: 'b', reason: 'missing_input' },
      ],
    },
  ],
  [
    'a link to nowhere',
    { '1': node('Mine', { a: 1, b: ['9', 0] }) },
    { '1': [{ field: 'b', reason: 'unknown_node' }] },
  ],
  [
    'a link to itself',
    { '1': node('Mine', { a: 1, b: ['1', 0] }) },
    { '1': [{ field: 'b', reason: 'circle' }] },
  ],
  [
    'a circle behind a node that is fine',
    {
      z: node('Fail'),
      a: node('Mine', { a: ['b', 0], b: ['z', 0] }),
      b: node('Mine', { a: 1, b: ['a', 0] }),
    },
    { a: [{ field: 'a', reason: 'circle' }] },
  ],
  [
    'faults of several nodes',
    { x: node('Nope'), y: 3 },
    { x: [{ field: 'class_type', reason: 'unknown_class' }], y: [{ field: '', reason: 'not_a_node' }] },
  ],
];

test.each(graphs)('jobs.submit.node-errors: %s is reported for each node', (_name, graph, want) => {
  expect(readGraph(graph, classes)).toMatchObject({ kind: 'faulty', faults: want });
});

test('the node id __proto__ is reported like any other', () => {
  const graph: unknown = JSON.parse('{"__proto__":{"class_type":"Nope"}}');
  const reading = readGraph(graph, classes);
  expect(reading.kind === 'faulty' && Object.keys(reading.faults)).toStrictEqual(['__proto__']);
});

test('each node runs after the nodes that it is linked to', () => {
  const graph = {
    last: node('Mine', { a: ['middle', 0], b: ['first', 0] }),
    middle: node('Mine', { a: ['first', 0], b: 2 }),
    first: node('Mine', { a: [512, 512], b: ['no link', 0.5] }),
  };
  const reading = readGraph(graph, classes);
  expect(reading.kind === 'graph' && reading.nodes.map(({ id }) => id)).toStrictEqual([
    'first',
    'middle',
    'last',
  ]);
});

test.each([
  ['a chain', (n: number) => n - 1],
  ['a star', () => 0],
])('%s of a hundred thousand nodes is read', (_name, linkedTo) => {
  const inputs = (n: number): object => (n === 0 ? {} : { after: [String(linkedTo(n)), 0] });
  const graph = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, n) => [String(n), node('Fail', inputs(n))]),
  );
  expect(readGraph(graph, classes).kind).toBe('graph');
});

test('jobs.submit.unknown-class: any class is taken where the user says so', () => {
  expect(readGraph({ '1': node('KSampler') }, nodeClasses('any')).kind).toBe('graph');
});

test.each([
  ['as long as its class says', 'GeneratePicture', {}, 1_000],
  ['as long as its input says', 'Wait', { seconds: 2.5 }, 2_500],
  ['a quarter of a second otherwise', 'LoadPicture', {}, 250],
  ['an hour at most', 'Wait', { seconds: 1e9 }, 3_600_000],
  ['no time that is none', 'Wait', { seconds: 'x' }, 250],
])('a node works %s', (_name, name, inputs, want) => {
  expect(workMsOf(classes(name) ?? { name }, inputs)).toBe(want);
});

const bodies: readonly [name: string, body: unknown, want: unknown][] = [
  [
    'the bare graph',
    { '1': node('A'), extra_data: { x: 1 }, inputs: 1 },
    { kind: 'graph', graph: { '1': node('A') }, extraData: { x: 1 } },
  ],
  [
    'an envelope',
    { workflow: { '1': 1 }, note: 'x' },
    { kind: 'graph', graph: { '1': 1 }, extraData: undefined },
  ],
  ['an envelope with nothing in it', { workflow: null }, { kind: 'graph', graph: null }],
  [
    'a node that is called workflow',
    { workflow: node('A') },
    { kind: 'graph', graph: { workflow: node('A') } },
  ],
  ['an export of the editor', { nodes: [], links: [] }, { kind: 'editor-format' }],
  ['an export in an envelope', { workflow: { nodes: [], links: [] } }, { kind: 'editor-format' }],
  ['nodes without links', { nodes: [] }, { kind: 'graph', graph: { nodes: [] } }],
  ['no object', 3, { kind: 'graph', graph: 3 }],
];

test.each(bodies)('A-60, A-62: %s is read', (_name, body, want) => {
  expect(readSubmission(body, assume, facts)).toMatchObject(want as object);
});

test.each([
  ['none', undefined, undefined],
  ['empty ones', {}, undefined],
  ['the known key', { known: 'x' }, undefined],
  ['an unknown key', { other: 1 }, /no member "other".*takes: known/],
  ['a known key that is no text', { known: 1 }, /known must be a string/],
  ['null', null, /must be an object/],
  ['an array', [], /must be an object/],
])('jobs.submit.extra-data-closed: %s', (_name, extraData, want) => {
  const fault = extraDataFault(extraData, ['known']);
  if (want === undefined) expect(fault).toBeUndefined();
  else expect(fault).toMatch(want);
});

const asset = (info: unknown): object => ({ __type: 'core/ASSET', info });

test.each([
  ['none', { '1': node('A', { a: { __type: 'core/OTHER', info: { id: 'x' } } }) }, []],
  ['one as an input', { '1': node('A', { a: asset({ id: 'x', hash: 'h' }) }) }, ['x']],
  ['one deep inside', { '1': node('A', { a: [[{ b: asset({ id: 'y' }) }]] }) }, ['y']],
  ['one without an id', { '1': node('A', { a: asset({}) }) }, [undefined]],
  ['one without information', { '1': node('A', { a: asset('x') }) }, [undefined]],
])('A-68: %s', (_name, graph, want) => {
  expect(assetReferences(graph, assume)).toStrictEqual(want);
});

test('a graph that is nested deeper than calls can be is searched', () => {
  let value: unknown = asset({ id: 'deep' });
  for (let depth = 0; depth < 200_000; depth += 1) value = [value];
  expect(assetReferences(value, assume)).toStrictEqual(['deep']);
});

test('an asset belongs to all callers, to its owner, or does not exist', () => {
  const assets = new Assets([{ id: 'all' }, { id: 'hers', owner: 'alice' }]);
  expect(['all', 'hers', 'none'].map((id) => assets.standing(id, 'alice'))).toStrictEqual([
    'own',
    'own',
    'unknown',
  ]);
  expect(['all', 'hers', 'none'].map((id) => assets.standing(id, 'bob'))).toStrictEqual([
    'own',
    'foreign',
    'unknown',
  ]);
});
