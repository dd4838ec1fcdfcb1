import { pathToFileURL } from 'node:url';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { BrokenProbe } from '../../conformance/scenarios/scenario.ts';
import { readError } from '../../conformance/verdicts/outcome.ts';

const file = join(process.cwd(), 'my probes (ä)', 'names.ts');
const dependency = join(process.cwd(), 'node_modules', 'lib', 'index.js');

test.each([
  ['a function and a path', `at run (${file}:12:5)`],
  ['a function and an address', `at async Object.run (${pathToFileURL(file).href}:12:5)`],
  ['a path alone', `at ${file}:12:5`],
  ['an address alone', `at async ${pathToFileURL(file).href}:12:5`],
  ['a method with another name', `at Probe.run [as go] (${file}:12:5)`],
])('the place of a fault in a probe is read from %s', (_name, frame) => {
  const error = new Error('undefined is not a function (at least here)');
  error.stack = `Error: ${error.message}\n    at inner (${dependency}:1:2)\n    ${frame}\n    at last (${file}:99:9)`;
  const { finding } = readError(new BrokenProbe('names', error), 'names');
  expect(finding?.help).toBe(
    `This says nothing about the server. Correct the probe: ${relative(process.cwd(), file)}:12:5.`,
  );
});
