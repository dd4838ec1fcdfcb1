import { expect, test } from 'vitest';
import { RouteIndex } from '../../../mock/prism/route-index.ts';

test.each([
  ['/jobs/{id}', true],
  ['/jobs/{id}.json', true],
  ['/jobs/{{id}}', true],
  ['/jobs/{}', false],
  ['/jobs/}{', false],
  ['/jobs/{id', false],
])('%s takes any segment: %s', (path, takesAny) => {
  const index = new RouteIndex([{ method: 'get', path }]);
  expect(index.candidates('/jobs/other')).toHaveLength(takesAny ? 1 : 0);
  expect(index.candidates(path.replace('{id}', '7'))).toHaveLength(1);
});
