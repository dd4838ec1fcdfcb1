import { isRecord } from '../../contract/index.ts';
import { declaredApis } from '../apis/declared.ts';
import { group, leaf } from './fixture-shape.ts';
import type { FixtureShape } from './fixture-shape.ts';

/** Every member of the fixtures file. Checks, template and hints use this. */
export const fixturesShape: FixtureShape = group('what the server under test offers', {
  baseUrl: leaf(
    'text',
    'the address of the server; the command line takes precedence',
    'https://api.example.com',
  ),
  server: leaf(
    'text',
    'for your own API: the server of the document that has this base URL, if operations have servers of their own; "*" for all',
    '*',
  ),
  cred: group('credentials; $NAME is read from the environment', {
    valid: {
      ...group(
        'any usable credential, sent unchanged',
        {
          header: leaf(
            'text',
            'the header that carries it; or query or cookie, with the name of that',
            'X-API-Key',
          ),
          query: leaf('text', 'the query parameter that carries it', 'api_key'),
          cookie: leaf('text', 'the cookie that carries it', 'session'),
          value: leaf('secret', 'its value', '$API_KEY'),
        },
        ['value'],
        { header: 'X-API-Key', value: '$API_KEY' },
      ),
      oneOf: ['header', 'query', 'cookie'],
    },
    apiKey: leaf('secret', 'an API key', '$API_KEY'),
    jwt: leaf('secret', 'a JWT of the identity provider', '$JWT'),
    forbidden: leaf(
      'secret',
      'a valid API key without access; a token where no operation takes a key',
      '$FORBIDDEN_KEY',
    ),
    secondAccount: leaf(
      'secret',
      'an API key of another account; for your own API also its token, its cookie, or Basic with user and password',
      '$SECOND_KEY',
    ),
    secondJwt: leaf(
      'secret',
      'for your own API: a token of the same other account, where some operations take a token and some the credential of secondAccount',
      '$SECOND_JWT',
    ),
    secondOwner: leaf(
      'text',
      'for your own API: another owner of things that the same credential may name, such as a second tenant',
      'acme',
    ),
    refused: leaf(
      'secret',
      'for your own API: a credential that the server has to refuse: made up, expired or revoked',
      '$REFUSED_KEY',
    ),
  }),
  account: group('accounts in a special state', {
    noCredits: leaf(
      'secret',
      'an API key whose workspace has no credits; for your own API also a token',
      '$NO_CREDITS_KEY',
    ),
    narrow: leaf(
      'secret',
      'for your own API: an API key, or a token, of which few calls may run at once; narrowCalls says how many',
      '$NARROW_KEY',
    ),
    narrowCalls: leaf('number', 'how many calls with that key may run at once; default: 1', 1),
  }),
  capabilities: group('optional behaviour of the server', {
    keyAsBearer: leaf('flag', 'bearer values with the key prefix are accepted as API keys', true),
  }),
  parameters: leaf('json', "values of an own API's parameters, by name or by operationId.name", {}),
  bodies: leaf('json', "bodies for an own API's operations, by operationId", {}),
  occasions: leaf(
    'occasions',
    'for your own API: calls that make an operation slow, failing, limited and so on, by operationId and occasion',
    {},
  ),
  writes: leaf(
    'texts',
    'for your own API: ids of operations that may be called although they may change what the run did not make',
    [],
  ),
  ...Object.assign({}, ...declaredApis.map(({ fixtures }) => fixtures)),
});

/**
 * The line to add to the fixtures file for needs such as `model.slow`; `undefined` if no line can satisfy one
 * of them.
 */
export function fixtureLine(...needs: readonly string[]): string | undefined {
  return fixtureLineWith({}, needs);
}

/** The same, with other examples for some needs. */
export function fixtureLineWith(
  examples: Readonly<Record<string, unknown>>,
  needs: readonly string[],
): string | undefined {
  const values = needs.map((need) => examples[need] ?? fixtureFor(need));
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return inner(values.reduce(merged));
}

// --- internal ---

function fixtureFor(need: string): unknown {
  const known = declaredApis.map(({ lines }) => lines[need]).find((line) => line !== undefined);
  if (known !== undefined) return known;
  const path = need.split('.');
  let shape: FixtureShape | undefined = fixturesShape;
  const [first, ...rest] = path;
  // These may have members with any names.
  if ((first === 'parameters' || first === 'bodies') && rest.length > 0)
    return { [first]: { [rest.join('.')]: first === 'bodies' ? {} : '…' } };
  if (first === 'writes' && rest.length > 0) return { writes: [rest.join('.')] };
  const [occasion, ...operation] = rest.toReversed();
  if (first === 'occasions' && occasion !== undefined)
    return { occasions: { [operation.toReversed().join('.')]: { [occasion]: { body: {} } } } };
  for (const segment of path) shape = shape?.members[segment];
  if (shape?.example === undefined) return undefined;
  return path.reduceRight<unknown>((value, segment) => ({ [segment]: value }), shape.example);
}

function merged(one: unknown, other: unknown): unknown {
  if (!isRecord(one) || !isRecord(other)) return other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in one && name in other ? merged(one[name], other[name]) : (other[name] ?? one[name]),
    ]),
  );
}

/** The members of an object between its braces, on one line. */
function inner(value: unknown): string {
  return spaced(value).slice(2, -2);
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
