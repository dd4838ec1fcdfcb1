import {
  anyVersion,
  checkedThenEntered,
  enteredAgain,
  openToAll,
  optional,
  plainVersions,
  publishersOpen,
  refusedTaken,
  takenEverywhere,
  tokenOptional,
  tokenUnchecked,
  typesUnchecked,
} from './parts.ts';
import { withHeaders, type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import {
  along,
  bearsCredential,
  breaks,
  credentialsOf,
  sentBody,
  when,
  withJson,
} from '../../../deviations/wire.ts';
import { isRecord } from '../../../../contract/index.ts';
import { operations, published } from './publish.ts';

const crash = (answer: Answer): Answer =>
  withJson(answer, 500, { error: 'internal', message: 'Deviant on purpose.' });

const refuse = (answer: Answer): Answer =>
  withJson(answer, 400, { error: 'bad_request', message: 'Deviant on purpose.' });

/** Refuses publications that contain this status. */
const refusingStatus = (status: string): NonNullable<Deviation['onReply']> =>
  when((answer, seen) => published(answer) && JSON.stringify(sentBody(seen)).includes(`"${status}"`), refuse);

const checks: readonly Deviation[] = [
  breaks('registry.publish.node-required', '201', {
    operations,
    replaces: { registry: optional('node') },
  }),
  breaks('registry.publish.node-version-required', '500', {
    operations,
    onReply: when((answer, seen) => answer.status === 400 && isLeftOut(seen, 'node_version'), crash),
  }),
  breaks('registry.publish.pat-required', '201', {
    operations,
    replaces: { registry: tokenOptional },
  }),
  breaks('registry.publish.body-required', '500', {
    operations,
    onReply: when((_answer, seen) => bearsCredential(seen) && seen.request.body().kind === 'none', crash),
  }),
  breaks('registry.publish.malformed-json', '500', {
    operations,
    onReply: when(
      (_answer, seen) => bearsCredential(seen) && seen.request.body().kind === 'malformed',
      crash,
    ),
  }),
  breaks('registry.publish.node-required', '403', {
    operations,
    onReply: when(
      (answer, seen) => answer.status === 400 && isLeftOut(seen, 'node'),
      (answer) => withJson(answer, 403, { error: 'forbidden', message: 'Deviant on purpose.' }),
    ),
  }),
  breaks('registry.publish.malformed-json', 'comma-taken', {
    operations,
    alsoFails: along('the success is no publication', 'registry.publish.201', 'registry.publish.201-shape'),
    onReply: when(
      (answer, seen) => answer.status === 400 && textOf(seen).endsWith(',}'),
      (answer) => withJson(answer, 202, {}),
    ),
  }),
  breaks('registry.publish.wrong-types', '403', {
    operations,
    onReply: when(
      (answer, seen) => answer.status === 400 && hasTextForTags(seen),
      (answer) => withJson(answer, 403, { error: 'forbidden', message: 'Deviant on purpose.' }),
    ),
  }),
  breaks('registry.publish.wrong-types', '500', {
    operations,
    onReply: when((answer, seen) => answer.status === 400 && hasTextForTags(seen), crash),
  }),
  breaks('registry.publish.wrong-types', '201', {
    operations,
    replaces: { registry: (honest) => ({ ...typesUnchecked(honest), ...tokenUnchecked(honest) }) },
    alsoFails: [
      ...along(
        'the token is not looked at either, so that the publication can succeed',
        'registry.publish.pat-checked',
      ),
      ...along('what is taken as it is comes back so', 'registry.formats.arrays', 'registry.formats.types'),
      ...along('a null is of the wrong type as well', 'registry.publish.pat-required'),
    ],
  }),
  breaks('registry.publish.wrong-types', 'behind-the-token', {
    operations,
    replaces: { registry: typesUnchecked },
    alsoFails: [
      ...along('what is taken as it is comes back so', 'registry.formats.arrays', 'registry.formats.types'),
      ...along('a null is looked at as a token', 'registry.publish.pat-required'),
    ],
  }),
  breaks('registry.publish.enum-values', 'node-banned', {
    operations,
    onReply: refusingStatus('NodeStatusBanned'),
  }),
  breaks('registry.publish.enum-values', 'version-flagged', {
    operations,
    onReply: refusingStatus('NodeVersionStatusFlagged'),
  }),
  breaks('registry.publish.members-accepted', 'flag-refused', {
    operations,
    onReply: when(
      (answer, seen) => published(answer) && JSON.stringify(sentBody(seen)).includes('"deprecated":false'),
      refuse,
    ),
  }),
  breaks('registry.publish.members-accepted', 'zero-refused', {
    operations,
    onReply: when((answer, seen) => published(answer) && hasZero(seen), refuse),
  }),
  breaks('registry.publish.members-accepted', 'utc-only', {
    operations,
    onReply: when(
      (answer, seen) => published(answer) && JSON.stringify(sentBody(seen)).includes('+02:00'),
      refuse,
    ),
  }),
  breaks('registry.node.nothing-required', '400', {
    operations,
    onReply: when(
      (answer, seen) => published(answer) && JSON.stringify(sentBody(seen)['node']) === '{}',
      refuse,
    ),
  }),
  breaks('registry.publish.other-version-free', 'prefix', {
    operations,
    onReply: when((answer, seen) => published(answer) && versionIn(seen).endsWith('-rc.10'), refuse),
  }),
  breaks('registry.publish.refused-not-taken', 'taken', { operations, replaces: { registry: refusedTaken } }),
  breaks('registry.publish.semver', 'any-text', {
    operations,
    replaces: { registry: anyVersion },
  }),
  breaks('registry.publish.semver-forms', '400', {
    operations,
    alsoFails: along(
      'a pre-release is one of the versions that are alike',
      'registry.publish.other-version-free',
    ),
    replaces: { registry: plainVersions },
  }),
  breaks('registry.publish.version-unique', '201-twice', {
    operations,
    replaces: { registry: enteredAgain },
    alsoFails: along(
      'what can be had one after the other can be had together',
      'registry.publish.version-unique-race',
    ),
  }),
  breaks('registry.publish.version-unique-race', 'check-then-set', {
    operations,
    replaces: { registry: checkedThenEntered },
  }),
  breaks('registry.publish.version-unique-per-node', 'everywhere', {
    operations,
    replaces: { registry: takenEverywhere },
  }),
];

const rights: readonly Deviation[] = [
  breaks('registry.publish.403', '201', {
    operations,
    replaces: { registry: publishersOpen },
  }),
  breaks('registry.publish.auth-required', '201', {
    operations,
    replaces: { registry: openToAll },
  }),
  breaks('registry.publish.key-as-bearer', '401', {
    operations,
    onReply: when(bearsKey, (answer) =>
      withJson(answer, 401, { error: 'no_credential', message: 'Deviant on purpose.' }),
    ),
  }),
  breaks('registry.publish.key-as-bearer', '403', {
    operations,
    onReply: when(bearsKey, (answer) =>
      withJson(answer, 403, { error: 'forbidden', message: 'Deviant on purpose.' }),
    ),
  }),
  breaks('registry.publish.pat-checked', 'any-token', {
    operations,
    replaces: { registry: tokenUnchecked },
  }),
  breaks('registry.publish.pat-checked', 'beginning-only', {
    operations,
    alsoFails: along('the success is no publication', 'registry.publish.201', 'registry.publish.201-shape'),
    onReply: when(
      (answer, seen) =>
        answer.status === 403 && /^pat-.{0,4}$/.test(String(sentBody(seen)['personal_access_token'])),
      (answer) => withJson(answer, 202, {}),
    ),
  }),
  breaks('registry.publish.pat-not-echoed', 'in-message', {
    operations,
    onReply: (answer, seen) =>
      onJson(answer, [400, 403], (body) => {
        const token = sentBody(seen)['personal_access_token'];
        return { ...body, message: `${String(body['message'])} Token: ${String(token ?? '')}` };
      }),
  }),
  breaks('registry.publish.pat-not-echoed', 'on-success', {
    operations,
    onReply: (answer, seen) =>
      onJson(answer, 201, (body) => ({ ...body, token: sentBody(seen)['personal_access_token'] })),
  }),
  breaks('registry.errors.shape', 'detail', {
    operations,
    onReply: (answer) => onJson(answer, [400, 403, 500], ({ message }) => ({ detail: message })),
  }),
  breaks('registry.errors.shape', 'bare-500', {
    operations,
    alsoFails: along('a null is of the wrong type', 'registry.publish.wrong-types'),
    onReply: when(
      (answer, seen) => answer.status === 400 && sentBody(seen)['node'] === null,
      (answer) => ({ ...answer, status: 500, body: { kind: 'none' } }),
    ),
  }),
  breaks('registry.errors.shape', 'no-message', {
    operations,
    onReply: (answer) => onJson(answer, [400, 403, 500], ({ message: _left, ...body }) => body),
  }),
  breaks('registry.errors.shape', 'error-as-number', {
    operations,
    onReply: (answer) => onJson(answer, [400, 403, 500], (body) => ({ ...body, error: answer.status })),
  }),
  breaks('registry.errors.shape', 'plain-text', {
    operations,
    onReply: when(
      ({ status }) => [400, 403, 500].includes(status),
      (answer) => ({
        ...withHeaders(answer, [['Content-Type', 'text/plain']]),
        body: { kind: 'bytes', bytes: Buffer.from('Deviant on purpose.') },
      }),
    ),
  }),
];

/** Deviations of publishing. */
export const publishRefusalDeviations: readonly Deviation[] = [...checks, ...rights];

// --- internal ---

/** Whether the body is an object that lacks just this member. */
function isLeftOut(seen: DeviationView, member: string): boolean {
  const body = sentBody(seen);
  return Object.keys(body).length > 0 && !Object.hasOwn(body, member);
}

function textOf({ request }: DeviationView): string {
  return Buffer.from(request.raw.body).toString();
}

function versionIn(seen: DeviationView): string {
  const version = sentBody(seen)['node_version'];
  return isRecord(version) ? String(version['version']) : '';
}

function hasZero(seen: DeviationView): boolean {
  const { node } = sentBody(seen);
  return isRecord(node) && node['downloads'] === 0;
}

function hasTextForTags(seen: DeviationView): boolean {
  const { node, node_version: version } = sentBody(seen);
  return [node, version].some((part) => isRecord(part) && typeof part['tags'] === 'string');
}

function bearsKey(_answer: Answer, seen: DeviationView): boolean {
  const prefix = credentialsOf(seen)?.keyPrefix;
  return (
    prefix !== undefined && seen.request.header('authorization')?.startsWith(`Bearer ${prefix}`) === true
  );
}
