import type { Contract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import type { Server } from '../../generated/server-runtime/index.ts';
import { imported } from '../generator/generated.ts';
import { own } from '../mock/own-document.ts';

/** An API whose operations take their credential from each place, and one that takes none. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Desks, version: '1' }
paths:
${['header', 'bearer', 'cookie', 'query', 'either', 'optional', 'open']
  .map(
    (name) => `
  /${name}:
    get:
      operationId: ${name}
      security: ${JSON.stringify(
        {
          either: [{ header: [] }, { bearer: [] }],
          optional: [{ header: [] }, {}],
          open: [],
        }[name] ?? [{ [name]: [] }],
      )}
      responses:
        '200': { description: Its caller., content: { application/json: { schema: { type: object }, example: {} } } }`,
  )
  .join('')}
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-API-Key }
    bearer: { type: http, scheme: bearer }
    cookie: { type: apiKey, in: cookie, name: session }
    query: { type: apiKey, in: query, name: key }
`;

export const desks = (): Promise<Contract> => own('desks', DOCUMENT);

/**
 * The generated server of `desks`. Each answer has the id of its caller, which is the credential.
 *
 * @param headers of every answer of a handler
 */
export async function deskServer(
  contract: Contract,
  headers: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const files = await generate([contract], { server: true });
  const { createServer } = (await imported(files, 'desks/server.ts')) as unknown as {
    readonly createServer: (handlers: object, options: object) => Server;
  };
  const answer = (_input: unknown, { caller }: { readonly caller: unknown }): object => ({
    ...{ status: 200, headers, body: caller },
  });
  return createServer(Object.fromEntries(contract.operations.map(({ id }) => [id, answer])), {
    authenticate: (found: Readonly<Record<string, string>>) => ({ id: Object.values(found)[0] ?? 'nobody' }),
  });
}
