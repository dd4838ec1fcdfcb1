import { expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { exitCode } from '../../conformance/index.ts';
import { loadContract } from '../../contract/index.ts';

test.each(['names-of-every-object', 'percent-in-names', 'server-variables', 'habits-of-vendors'])(
  'the mock of %s, without a sheet, raises no alarm',
  async (name) => {
    const loaded = await loadContract({ document: `test/fixtures/documents/${name}.yaml` });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    const report = await judgeOf(loaded.contract, undefined)([]);
    expect(report.rules.filter(isBroken).map(({ id }) => id)).toEqual([]);
    expect(report.findings).toEqual([]);
    expect(exitCode(report)).toBe(0);
  },
);
