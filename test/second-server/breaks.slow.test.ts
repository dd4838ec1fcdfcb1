// @module-tag long
import { describe, expect, test } from 'vitest';
import { breaks } from '../fixtures/second-server/index.ts';
import type { BreakName } from '../fixtures/second-server/index.ts';
import type { Row } from '../fixtures/second-server/router-looks.ts';
import { registryLooks } from '../fixtures/second-server/registry-looks.ts';
import { jobLooks } from '../fixtures/second-server/job-looks.ts';
import { routerLooks } from '../fixtures/second-server/router-looks.ts';
import { start } from './start.ts';

const looks: Record<BreakName, Row> = { ...routerLooks, ...jobLooks, ...registryLooks };

describe('breaks', () => {
  test.each(Object.entries(looks) as [BreakName, Row][])(
    '%s is seen, and the honest server does not have it',
    async (name, { look, honest, broken }) => {
      expect(breaks[name].rule).toMatch(/^[a-z]+(\.[a-z0-9-]+){2}$/);
      let time = Date.now();
      const tick = (ms: number): void => {
        time += ms;
      };
      const now = (): number => time;
      const good = await start({ now });
      expect(await look(good.server, good.fixtures, tick)).toEqual(honest);
      const bad = await start({ now, breaks: [name] });
      expect(await look(bad.server, bad.fixtures, tick)).toEqual(broken);
    },
  );
});
