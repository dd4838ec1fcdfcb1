import type { DeclaredApi } from '../../declared-api.ts';
import { secretOf } from '../../target/credential.ts';
import { isObject, member } from '../../exchanges/exchange.ts';
import { group, leaf } from '../../target/fixture-shape.ts';
import type { Fixtures } from '../../target/fixtures.ts';
import { jobsOffers } from './offers.ts';

/** The members of the fixtures file for this API. */
const fixtures = {
  jobsBaseUrl: leaf(
    'text',
    'the address of the jobs API if it differs; may contain a path',
    'https://jobs.example.com',
  ),
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
};

/** The credential that the jobs of a surface require; none on some. */
const JOB_OWNER = 'a credential for jobs';

/** Document 3, Authentication: a demo, and a self-hosted instance without a token, require no credential. */
function isOpen({ surface, staticToken }: Fixtures): boolean {
  return surface === 'demo' || (surface === 'self-hosted' && staticToken === undefined);
}

const identities = {
  /**
   * Document 3, Authentication, item 1: keys as bearer tokens; a self-hosted instance may have its own token.
   */
  jobOwner: {
    need: JOB_OWNER,
    isDerived: true,
    placeholders: ['$API_KEY', '$STATIC_TOKEN'],
    isOpen,
    credential: ({ valid, fixtures, asBearer }) => {
      if (isOpen(fixtures)) return undefined;
      if (fixtures.surface === 'self-hosted') return asBearer(fixtures.staticToken);
      return asBearer(fixtures.cred?.apiKey ?? (valid === undefined ? undefined : secretOf(valid)));
    },
  },
  jobStranger: {
    need: 'cred.secondAccount',
    placeholders: ['$SECOND_KEY'],
    isUnwatched: true,
    credential: ({ fixtures, asBearer }) => asBearer(fixtures.cred?.secondAccount),
  },
  jobNoCredits: {
    need: 'account.noCredits',
    placeholders: ['$NO_CREDITS_KEY'],
    isUnwatched: true,
    credential: ({ fixtures, asBearer }) => asBearer(fixtures.account?.noCredits),
  },
} as const satisfies DeclaredApi['identities'];

export const declaredJobs = {
  api: 'jobs',
  fixtures,
  lines: { [JOB_OWNER]: { cred: { apiKey: '$API_KEY' } } },
  identities,
  offers: jobsOffers,
  secrets: ({ staticToken }) => [[staticToken, '$STATIC_TOKEN']],
  baseUrl: ({ jobsBaseUrl }) => jobsBaseUrl,
  isError: (json) => isObject(member(json, 'error')),
} satisfies DeclaredApi;
