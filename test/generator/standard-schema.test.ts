import { expect, test } from 'vitest';
import { checkRouterModelListResponse } from '../../generated/router/validators.ts';
import type { RouterModelListResponse } from '../../generated/router/types.ts';

/** Standard Schema 1, as far as libraries for forms and routers use it. */
interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}
type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
      }[];
    };

/** As such a library calls any schema. */
async function parsed<Output>(schema: StandardSchema<Output>, value: unknown): Promise<Result<Output>> {
  return schema['~standard'].validate(value);
}

const page = { data: [{ id: 'acme/x', provider: 'acme', model: 'x' }], limit: 1, has_more: false };
const wrong = { ...page, data: [...page.data, { id: 7, provider: 'acme', model: 'x' }], limit: '1' };

test('a generated check is a schema of Standard Schema: the value comes back under its type', async () => {
  const result = await parsed(checkRouterModelListResponse, page);
  if (result.issues !== undefined) throw new Error('the page is right');
  const value: RouterModelListResponse = result.value;
  expect(value).toBe(page);
  expect(checkRouterModelListResponse['~standard']).toMatchObject({ version: 1, vendor: 'tallystick' });
});

test('each issue has a path of names and positions', async () => {
  const { issues = [] } = await parsed(checkRouterModelListResponse, wrong);
  expect(issues).toStrictEqual([
    { message: 'must be string', path: ['data', 1, 'id'] },
    { message: 'must be integer', path: ['limit'] },
  ]);
});

test('a library that knows Standard Schema takes it: the matcher of this test runner does', () => {
  expect({ body: page }).toEqual({ body: expect.schemaMatching(checkRouterModelListResponse) });
  expect({ body: wrong }).not.toEqual({ body: expect.schemaMatching(checkRouterModelListResponse) });
});
