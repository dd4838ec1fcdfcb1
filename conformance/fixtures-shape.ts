import { isRecord } from '../contract/index.ts';

/** Every member of the fixtures file: what it means and how a line of it looks. Checks, template and hints read this. */
export interface FixtureShape {
  readonly type: 'text' | 'secret' | 'number' | 'flag' | 'json' | 'choice' | 'group';
  readonly about: string;
  /** What stands in the line that a report asks for. */
  readonly example: unknown;
  /** For `group`. */
  readonly members: Readonly<Record<string, FixtureShape>>;
  /** Members that must be there once the group is; for `choice` the allowed values. */
  readonly required: readonly string[];
}

const leaf = (
  type: Exclude<FixtureShape['type'], 'group'>,
  about: string,
  example: unknown,
  required: readonly string[] = [],
): FixtureShape => ({ type, about, example, members: {}, required });

const group = (
  about: string,
  members: Readonly<Record<string, FixtureShape>>,
  required: readonly string[] = [],
  example: unknown = undefined,
): FixtureShape => ({ type: 'group', about, members, required, example });

const id = leaf('text', 'a model ID, provider/model', 'provider/model');
const input = leaf('json', 'the JSON input of a run', {});

const model = (about: string, more: Readonly<Record<string, FixtureShape>> = {}): FixtureShape =>
  group(about, { id, input, ...more }, ['id', 'input'], {
    id: 'provider/model',
    input: {},
    ...Object.fromEntries(Object.entries(more).map(([name, shape]) => [name, shape.example])),
  });

const node = group('a publisher and one of its nodes', {
  publisherId: leaf('text', 'the publisher id', '…'),
  nodeId: leaf('text', 'the node id', '…'),
});

export const fixturesShape: FixtureShape = group('what the server under test offers', {
  baseUrl: leaf(
    'text',
    'the address of the server; the command line takes precedence',
    'https://api.example.com',
  ),
  jobsBaseUrl: leaf(
    'text',
    'the address of the jobs API if it differs; may contain a path',
    'https://jobs.example.com',
  ),
  deadlineMs: leaf('number', "the server's deadline for one run, in milliseconds", 600_000),
  cred: group('credentials; $NAME is read from the environment', {
    valid: group(
      'any usable credential, sent unchanged',
      {
        header: leaf('text', 'the header that carries it', 'X-API-Key'),
        value: leaf('secret', 'its value', '$API_KEY'),
      },
      ['header', 'value'],
      { header: 'X-API-Key', value: '$API_KEY' },
    ),
    apiKey: leaf('secret', 'an API key', '$API_KEY'),
    jwt: leaf('secret', 'a JWT of the identity provider', '$JWT'),
    forbidden: leaf('secret', 'a valid API key without access', '$FORBIDDEN_KEY'),
    secondAccount: leaf('secret', 'an API key of another account', '$SECOND_KEY'),
  }),
  account: group('accounts in a special state', {
    noCredits: leaf('secret', 'an API key whose workspace has no credits', '$NO_CREDITS_KEY'),
  }),
  concurrency: group('the limit of concurrent calls', {
    bound: leaf('number', 'how many calls may run concurrently', 5),
    cred: leaf('secret', 'an API key with this limit; default: cred.valid', '$ONE_SLOT_KEY'),
    id,
    input,
  }),
  spend: group('the limit of committed spend', {
    bound: group(
      'an account with such a limit',
      {
        cents: leaf('number', 'the limit in US cents', 500),
        cred: leaf('secret', 'an API key with this limit; default: cred.valid', '$SPEND_KEY'),
        id,
        input,
        calls: leaf('number', 'how many concurrent calls exceed the limit', 2),
      },
      ['id', 'input', 'calls'],
      { cents: 500, id: 'provider/model', input: {}, calls: 2 },
    ),
  }),
  cursor: group('cursors', { expired: leaf('text', 'a cursor that has expired', '…') }),
  model: group('models with known behaviour', {
    ok: model('a cheap model that succeeds'),
    echo: model('a model whose output is known', {
      expectedOutput: leaf('json', 'the output for `input`', {}),
      rawInput: leaf('text', 'input as raw JSON text, such as 1.0 instead of 1', '{"n":1.0}'),
      rawOutput: leaf('text', 'the raw output for `rawInput`', '{"n":1.0}'),
    }),
    slow: model('a model that takes some time', {
      minMs: leaf('number', 'the least time it takes, in milliseconds', 700),
    }),
    reject422: model('a model that rejects `input`: several invalid fields, one inside an array', {
      single: leaf('json', 'an input with one invalid field', {}),
      expectedFailures: leaf('number', 'the number of invalid fields in `input`', 2),
    }),
    policy: model('a run that the content policy refuses'),
    deadline: model("a run that exceeds the server's deadline"),
    providerTimeout: model('a run whose provider times out'),
    '5xx': model('a run whose provider fails'),
    '503': model('a run that is answered with 503'),
    '425': model('a run that is answered with 425'),
    hugeOutput: model('a run whose response exceeds the size limit for replays'),
    noSchema: model('a model without an authored schema'),
    creditsHeader: model('a model whose provider is on the list for the credits header'),
    unreleased: leaf('text', 'a model that is deployed but not released', 'provider/model'),
    unknown: leaf('text', 'a model that does not exist; default: a random name', 'provider/no-such-model'),
    unknownProvider: leaf(
      'text',
      'a provider that does not exist; default: a random name',
      'no-such-provider/model',
    ),
  }),
  provider: group('test environments only', {
    probe: leaf('text', 'URL of a dispatch counter', 'https://…'),
  }),
  publish: group('a node that may be published', {
    ...node.members,
    node: leaf('json', 'the node object of the request', {}),
    node_version: leaf('json', 'the version object; {next} is replaced with the next number', {
      version: '{next}',
    }),
    pat: leaf('secret', 'the personal access token', '$PAT'),
    nextVersion: leaf('text', 'the first version number to use', '1.4.0'),
    foreign: group('a publisher that the token has no rights for', node.members, ['publisherId', 'nodeId'], {
      publisherId: '…',
      nodeId: '…',
    }),
    second: group('another node', node.members, ['publisherId', 'nodeId'], { publisherId: '…', nodeId: '…' }),
  }),
  proxy: group('the partner proxy', {
    partner: leaf('text', 'the partner segment of the path', '…'),
    image: group('one image in both forms', {
      base64: leaf('text', 'Base64', '…'),
      url: leaf('text', 'HTTPS URL', 'https://…'),
    }),
  }),
  capabilities: group('optional behaviour of the server', {
    keyAsBearer: leaf('flag', 'bearer values with the key prefix are accepted as API keys', true),
  }),
  surface: leaf('choice', 'cloud, self-hosted, serverless or demo', 'cloud', [
    'cloud',
    'self-hosted',
    'serverless',
    'demo',
  ]),
  staticToken: leaf('secret', 'the token of a self-hosted server', '$STATIC_TOKEN'),
  sse: group('event streams', {
    eventNames: group('the names of the events', {
      status: leaf('text', 'status events', 'status'),
      progress: leaf('text', 'progress events', 'progress'),
      preview: leaf('text', 'preview events', 'preview'),
    }),
  }),
  job: group('request bodies for jobs', {
    graphPointer: leaf('text', 'JSON pointer to the graph in a body', '/workflow'),
    siblingPointer: leaf('text', 'JSON pointer to the object that takes the other members', ''),
    allowedExtraData: leaf('json', 'extra data that the server accepts', {}),
    mountPrefix: leaf('text', 'the path prefix of links', '/deployment/d-42'),
    ok: leaf('json', 'a job that succeeds', {}),
    tiny: leaf('json', 'a job that succeeds at once', {}),
    slow: leaf('json', 'a job that runs for some seconds', {}),
    fail: leaf('json', 'a job that fails', {}),
    preview: leaf('json', 'a job that sends previews', {}),
    invalid: leaf('json', 'a job with an invalid graph', {}),
    unknownClass: leaf('json', 'a job with an unknown node class', {}),
    uiFormat: leaf('json', 'a graph in the export format of the user interface', {}),
    unknownAsset: leaf('json', 'a job that refers to an asset that does not exist', {}),
    foreignAsset: leaf('json', 'a job that refers to an asset of another account', {}),
  }),
});

/** Groups that carry a need as a whole, and the members that a line for it must show. */
const lineOf: Readonly<Record<string, unknown>> = {
  'a bearer credential': { cred: { jwt: '$JWT' } },
  'a credential for jobs': { cred: { apiKey: '$API_KEY' } },
  'concurrency.bound': { concurrency: { bound: 5, id: 'provider/model', input: {} } },
  publish: {
    publish: { publisherId: '…', nodeId: '…', node: {}, node_version: { version: '{next}' }, pat: '$PAT' },
  },
  'proxy.image': { proxy: { partner: '…', image: { base64: '…', url: 'https://…' } } },
};

/**
 * The line to add to the fixtures file for needs such as `model.slow`; `undefined` when there is one that no line can give.
 */
export function fixtureLine(...needs: readonly string[]): string | undefined {
  const values = needs.map(fixtureFor);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return inner(values.reduce(merged));
}

// --- internal ---

function fixtureFor(need: string): unknown {
  const known = lineOf[need];
  if (known !== undefined) return known;
  const path = need.split('.');
  let shape: FixtureShape | undefined = fixturesShape;
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

/** The members of an object as they stand between its braces, on one line. */
function inner(value: unknown): string {
  return spaced(value).slice(2, -2);
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
