import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { Bench } from 'tinybench';
import { parse } from 'yaml';
import { isRouterModelListResponse } from '../../generated/router/validators.ts';

/** Operations per second on a list page of 100: the emitted validator, and ajv's with the same schema. */
export async function validatorSpeeds(): Promise<{ readonly ours: number; readonly ajv: number }> {
  const document = parse(
    readFileSync(new URL('../../specs/router.openapi.yaml', import.meta.url), 'utf8'),
  ) as object;
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, 'document');
  const judge = ajv.compile({ $ref: 'document#/components/schemas/RouterModelListResponse' });
  const data = Array.from({ length: 100 }, (_, number) => ({
    id: `acme/model-${number}`,
    provider: 'acme',
    model: `model-${number}`,
  }));
  const page = { data, has_more: true, limit: 100, next_cursor: 'YWNtZQ' };
  if (!judge(page) || !isRouterModelListResponse(page))
    throw new Error('the page of the bench is no valid page');
  const bench = new Bench({ time: 500, warmupTime: 200 });
  bench.add('ours', () => isRouterModelListResponse(page)).add('ajv', () => judge(page));
  await bench.run();
  const perSecond = (name: string): number => {
    const result = bench.getTask(name)?.result;
    return result?.state === 'completed' ? result.throughput.mean : Number.NaN;
  };
  return { ours: perSecond('ours'), ajv: perSecond('ajv') };
}
