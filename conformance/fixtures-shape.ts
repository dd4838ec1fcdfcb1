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

const id = leaf('text', 'a model, as provider/model', 'provider/model');
const input = leaf('json', 'the JSON input of the call', {});

const model = (about: string, more: Readonly<Record<string, FixtureShape>> = {}): FixtureShape =>
  group(about, { id, input, ...more }, ['id', 'input'], {
    id: 'provider/model',
    input: {},
    ...Object.fromEntries(Object.entries(more).map(([name, shape]) => [name, shape.example])),
  });

const node = group('a publisher and a node of it', {
  publisherId: leaf('text', 'the publisher', '…'),
  nodeId: leaf('text', 'the node', '…'),
});

export const fixturesShape: FixtureShape = group('what a live server has to offer', {
  baseUrl: leaf('text', 'where the server is; the command line wins', 'https://api.example.com'),
  jobsBaseUrl: leaf('text', 'where the jobs are, if elsewhere; may have a path', 'https://jobs.example.com'),
  deadlineMs: leaf('number', "the server's deadline for one run, in milliseconds", 600_000),
  cred: group('credentials; $NAME is read from the environment', {
    valid: group(
      'any usable credential, sent as it stands',
      {
        header: leaf('text', 'the header that carries it', 'X-API-Key'),
        value: leaf('secret', 'its value', '$API_KEY'),
      },
      ['header', 'value'],
      { header: 'X-API-Key', value: '$API_KEY' },
    ),
    apiKey: leaf('secret', 'an API key', '$API_KEY'),
    jwt: leaf('secret', 'a JWT of the identity provider', '$JWT'),
    forbidden: leaf('secret', 'an API key that is valid and has no access', '$FORBIDDEN_KEY'),
    secondAccount: leaf('secret', 'an API key of another account', '$SECOND_KEY'),
  }),
  account: group('accounts in a special state', {
    noCredits: leaf('secret', 'an API key whose workspace has no credits', '$NO_CREDITS_KEY'),
  }),
  concurrency: group('the bound of calls at the same time', {
    bound: leaf('number', 'how many calls may run at once', 5),
    cred: leaf('secret', 'an API key with this bound; default cred.valid', '$ONE_SLOT_KEY'),
    id,
    input,
  }),
  spend: group('the bound of committed spend', {
    bound: group(
      'an account with such a bound',
      {
        cents: leaf('number', 'the bound in US cents', 500),
        cred: leaf('secret', 'an API key with this bound; default cred.valid', '$SPEND_KEY'),
        id,
        input,
        calls: leaf('number', 'so many calls at once pass the bound', 2),
      },
      ['id', 'input', 'calls'],
      { cents: 500, id: 'provider/model', input: {}, calls: 2 },
    ),
  }),
  cursor: group('cursors', { expired: leaf('text', 'a cursor that was valid once', '…') }),
  model: group('models that behave in a known way', {
    ok: model('cheap, succeeds'),
    echo: model('its output is known', {
      expectedOutput: leaf('json', 'the output for `input`', {}),
      rawInput: leaf('text', 'a JSON text whose spelling matters', '{"n":1.0}'),
      rawOutput: leaf('text', 'the text that answers `rawInput`', '{"n":1.0}'),
    }),
    slow: model('holds the connection for a while', {
      minMs: leaf('number', 'at least so many milliseconds', 700),
    }),
    reject422: model('refuses its input: several bad fields, one inside an array', {
      single: leaf('json', 'an input with one bad field', {}),
      expectedFailures: leaf('number', 'bad fields in `input`', 2),
    }),
    policy: model('refused on content-policy grounds'),
    deadline: model("runs past the server's deadline"),
    providerTimeout: model('its provider does not answer in time'),
    '5xx': model('its provider fails'),
    '503': model('answers 503'),
    '425': model('answers 425'),
    hugeOutput: model('its response is past the replay cap'),
    noSchema: model('no schema is authored for it'),
    creditsHeader: model('its provider is on the list for the credits header'),
    unreleased: leaf('text', 'deployed but not released', 'provider/model'),
    unknown: leaf('text', 'names no model; default a random one', 'provider/no-such-model'),
    unknownProvider: leaf('text', 'names no provider; default a random one', 'no-such-provider/model'),
  }),
  provider: group('test environments only', {
    probe: leaf('text', 'URL of a counter of dispatches', 'https://…'),
  }),
  publish: group('what may be published', {
    ...node.members,
    node: leaf('json', 'the node as it is published', {}),
    node_version: leaf('json', 'its version; {next} stands for the next number', { version: '{next}' }),
    pat: leaf('secret', 'the personal access token', '$PAT'),
    nextVersion: leaf('text', 'where to start counting', '1.4.0'),
    foreign: group('a publisher without rights for this token', node.members, ['publisherId', 'nodeId'], {
      publisherId: '…',
      nodeId: '…',
    }),
    second: group('another node', node.members, ['publisherId', 'nodeId'], { publisherId: '…', nodeId: '…' }),
  }),
  proxy: group('the partner proxy', {
    partner: leaf('text', 'the partner segment', '…'),
    image: group('an image in both forms', {
      base64: leaf('text', 'Base64', '…'),
      url: leaf('text', 'HTTPS URL', 'https://…'),
    }),
  }),
  capabilities: group('what the contract leaves to the operator', {
    keyAsBearer: leaf('flag', 'bearer values with the key prefix are taken as API keys', true),
  }),
  surface: leaf('choice', 'cloud, self-hosted, serverless or demo', 'cloud', [
    'cloud',
    'self-hosted',
    'serverless',
    'demo',
  ]),
  staticToken: leaf('secret', 'the token of a self-hosted server', '$STATIC_TOKEN'),
  sse: group('event streams', {
    eventNames: group('how the event names are spelled', {
      status: leaf('text', 'status events', 'status'),
      progress: leaf('text', 'progress events', 'progress'),
      preview: leaf('text', 'preview events', 'preview'),
    }),
  }),
  job: group('whole request bodies of jobs', {
    graphPointer: leaf('text', 'JSON pointer to the graph in a body', '/workflow'),
    siblingPointer: leaf('text', 'JSON pointer to where top-level siblings go', ''),
    allowedExtraData: leaf('json', 'extra data that the server accepts', {}),
    mountPrefix: leaf('text', 'the prefix of links', '/deployment/d-42'),
    ok: leaf('json', 'succeeds', {}),
    tiny: leaf('json', 'succeeds at once', {}),
    slow: leaf('json', 'runs for some seconds', {}),
    fail: leaf('json', 'fails', {}),
    preview: leaf('json', 'sends previews', {}),
    invalid: leaf('json', 'is refused as a graph', {}),
    unknownClass: leaf('json', 'names an unknown node class', {}),
    uiFormat: leaf('json', 'an export of the user interface', {}),
    unknownAsset: leaf('json', 'refers to an asset that does not exist', {}),
    foreignAsset: leaf('json', 'refers to an asset of another account', {}),
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

/** The line to add to the fixtures file for a need such as `model.slow`; `undefined` for what no line can give. */
export function fixtureLine(need: string): string | undefined {
  const known = lineOf[need];
  if (known !== undefined) return inner(known);
  const path = need.split('.');
  let shape: FixtureShape | undefined = fixturesShape;
  for (const segment of path) shape = shape?.members[segment];
  if (shape?.example === undefined) return undefined;
  return inner(path.reduceRight<unknown>((value, segment) => ({ [segment]: value }), shape.example));
}

// --- internal ---

/** The members of an object as they stand between its braces, on one line. */
function inner(value: unknown): string {
  return spaced(value).slice(2, -2);
}

function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
