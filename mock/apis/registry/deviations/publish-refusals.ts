import {
  alone,
  anyVersion,
  buildsEnteredAgain,
  checkedThenEntered,
  enteredAgain,
  openToAll,
  optional,
  plainVersions,
  publishersOpen,
  publishersOpenLater,
  refusedTaken,
  takenEverywhere,
  tokenOptional,
  tokenUnchecked,
  typesUnchecked,
} from './parts.ts';
import { isRecord } from '../../../../contract/index.ts';
import { bodyText } from '../../../call/answer.ts';
import { along, bySearch } from '../../../deviations/breaks.ts';
import {
  asJson,
  asNothing,
  asText,
  onBody,
  withHeader,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import {
  bearsCredential,
  bearsMadeUpToken,
  bodyEnds,
  bodyFits,
  bodyIs,
  keyAsBearer,
  path,
  sends,
  sentBody,
  status,
  when,
  type Condition,
} from '../../../deviations/conditions.ts';
import { onJson, type Deviation } from '../../../deviations/deviation.ts';
import { onPublish, published } from './publish.ts';

const refusedAs = (code: number, error: string): AnswerChange =>
  asJson(code, { error, message: 'Deviant on purpose.' });

const crash = refusedAs(500, 'internal');
const forbid = refusedAs(403, 'forbidden');
const refuse = refusedAs(400, 'bad_request');

const errors = [400, 403, 500];

/** Publications that contain this text. */
const containing = (text: string): readonly Condition[] => [
  published,
  bodyFits((body) => JSON.stringify(body).includes(text)),
];

const noPublication = along(
  'the success is not a publication',
  'registry.publish.201',
  'registry.publish.201-shape',
);
const isNull: Condition = (_, { request }) => {
  const sent = request.body();
  return sent.kind === 'json' && sent.value === null;
};
const isTaken: Condition = ({ body }) => bodyText(body).includes('version_exists');
const hasZero = bodyFits(({ node }) => isRecord(node) && node['downloads'] === 0);
const hasTextForTags = bodyFits(({ node, node_version: version }) =>
  [node, version].some((part) => isRecord(part) && typeof part['tags'] === 'string'),
);

const comesBack = along(
  'an unchanged text is returned unchanged',
  'registry.formats.arrays',
  'registry.formats.types',
);

const checks: readonly Deviation[] = onPublish({
  'registry.publish.node-required~201': { registry: optional('node') },
  'registry.publish.node-version-required~500': [
    when([status(400), leavesOut('node_version')], crash),
    along('a body without any member lacks the version as well', 'registry.publish.node-required'),
  ],
  'registry.publish.pat-required~201': { registry: tokenOptional },
  'registry.publish.body-required~500': when([bearsCredential, bodyIs('none')], crash),
  'registry.publish.node-required~listed': [
    when([status(400), bodyFits((body) => Array.isArray(body))], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.malformed-json~500': when([bearsCredential, bodyIs('malformed')], crash),
  'registry.publish.node-required~null-crashes': when([status(400), isNull], crash),
  'registry.publish.node-required~403': when([status(400), leavesOut('node')], forbid),
  'registry.publish.malformed-json~comma-taken': [
    when([status(400), bodyEnds(',}')], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.wrong-types~403': when([status(400), hasTextForTags], forbid),
  'registry.publish.wrong-types~500': when([status(400), hasTextForTags], crash),
  'registry.publish.wrong-types~status-trimmed': [
    when(
      [status(400), bodyFits((body) => JSON.stringify(body).includes('"NodeStatusActive "'))],
      asJson(202, {}),
    ),
    noPublication,
  ],
  'registry.publish.wrong-types~status-of-a-version': [
    when(
      [status(400), bodyFits((body) => JSON.stringify(body).includes('"NodeStatusPending"'))],
      asJson(202, {}),
    ),
    noPublication,
  ],
  'registry.publish.wrong-types~listed-user': [
    when([status(400), bodyFits((body) => JSON.stringify(body).includes('"user":[{'))], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.wrong-types~empty-places': [
    when([status(400), bodyFits((body) => JSON.stringify(body).includes(',null]'))], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.wrong-types~201': [
    { registry: (honest) => ({ ...typesUnchecked(honest), ...tokenUnchecked(honest) }) },
    along(
      'the token is not looked at either, so that the publication can succeed',
      'registry.publish.pat-checked',
    ),
    comesBack,
    along('a null is of the wrong type as well', 'registry.publish.pat-required'),
  ],
  'registry.publish.wrong-types~behind-the-token': [
    { registry: typesUnchecked },
    along('an unchanged text is returned unchanged', 'registry.formats.arrays'),
    along('a null is looked at as a token', 'registry.publish.pat-required'),
    bySearch('the flag of another type is returned unchanged', 'registry.formats.types'),
  ],
  'registry.publish.enum-values~node-banned': when(containing('"NodeStatusBanned"'), refuse),
  'registry.publish.enum-values~version-flagged': when(containing('"NodeVersionStatusFlagged"'), refuse),
  'registry.publish.members-accepted~flag-refused': when(containing('"deprecated":false'), refuse),
  'registry.publish.members-accepted~zero-refused': when([published, hasZero], refuse),
  'registry.publish.members-accepted~one-line': when(containing('\\n'), refuse),
  'registry.publish.members-accepted~few-stars': when(containing('"rating":1000.5'), refuse),
  'registry.publish.members-accepted~utc-only': when(containing('+02:00'), refuse),
  'registry.node.nothing-required~400': when(
    [published, bodyFits(({ node }) => JSON.stringify(node) === '{}')],
    refuse,
  ),
  'registry.publish.other-version-free~prefix': when(
    [published, bodyFits((body) => versionIn(body).endsWith('-rc.10'))],
    refuse,
  ),
  'registry.publish.refused-not-taken~taken': { registry: refusedTaken },
  'registry.publish.semver~any-text': { registry: anyVersion },
  'registry.publish.semver~range': [
    when([status(400), bodyFits((body) => versionIn(body).startsWith('^'))], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.semver~capital-v': [
    when([status(400), bodyFits((body) => versionIn(body).startsWith('V'))], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.semver~other-digits': [
    when([status(400), bodyFits((body) => /[\u0660-\u0669]/.test(versionIn(body)))], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.semver~left-out': [
    when(
      [status(400), bodyFits(({ node_version: one }) => isRecord(one) && !('version' in one))],
      asJson(202, {}),
    ),
    noPublication,
  ],
  'registry.publish.semver-forms~400': [
    { registry: plainVersions },
    along('a pre-release is one of the versions that are alike', 'registry.publish.other-version-free'),
    bySearch('a search publishes pre-releases too', 'registry.publish.201'),
  ],
  'registry.publish.version-unique~201-twice': [
    { registry: enteredAgain },
    along(
      'requests that succeed one after the other also succeed concurrently',
      'registry.publish.version-unique-race',
    ),
  ],
  'registry.publish.version-unique~builds-twice': { registry: buildsEnteredAgain },
  'registry.publish.version-unique~escaped-path': [
    when([status(400), path(/%[0-9a-f]{2}/i)], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.version-unique~unread-in-chunks': [
    when([isTaken, sends('transfer-encoding', 'chunked')], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.version-unique-race~check-then-set': { registry: checkedThenEntered },
  'registry.publish.201~one-at-a-time': { registry: alone },
  'registry.publish.version-unique-per-node~everywhere': { registry: takenEverywhere },
});

const rights: readonly Deviation[] = onPublish({
  'registry.publish.403~201': { registry: publishersOpen },
  'registry.publish.403~second-time': { registry: publishersOpenLater },
  'registry.publish.auth-required~201': { registry: openToAll },
  'registry.publish.auth-required~no-scheme': [
    when([status(401, 403), sends('authorization', 'eyJ')], asJson(202, {})),
    noPublication,
  ],
  'registry.publish.auth-required~no-blank': [
    when([status(401, 403), sends('authorization', 'BearereyJ')], asJson(202, {})),
    noPublication,
  ],
  // The mock accepts every JWT; this one refuses those about an unknown user.
  'registry.publish.auth-required~any-signature': when(bearsMadeUpToken, forbid),
  'registry.publish.key-as-bearer~401': [
    when(keyAsBearer, refusedAs(401, 'no_credential')),
    along('the body of such a call is not read', 'registry.publish.pat-required'),
  ],
  'registry.publish.key-as-bearer~403': [
    when(keyAsBearer, forbid),
    along('the body of such a call is not read', 'registry.publish.pat-required'),
  ],
  'registry.publish.pat-checked~any-token': { registry: tokenUnchecked },
  'registry.publish.pat-checked~beginning-only': [
    when(
      [status(403), bodyFits(({ personal_access_token: token }) => /^pat-.{0,4}$/.test(String(token)))],
      asJson(202, {}),
    ),
    noPublication,
  ],
  'registry.publish.pat-checked~in-a-list': [
    when(
      [status(400), bodyFits(({ personal_access_token: token }) => Array.isArray(token))],
      asJson(202, {}),
    ),
    noPublication,
  ],
  'registry.publish.pat-not-echoed~in-a-header': (answer, seen) =>
    withHeader('X-Published-By', String(sentBody(seen)['personal_access_token'] ?? 'nobody'))(answer, seen),
  'registry.publish.pat-not-echoed~in-message': onBody([400, 403], (body, seen) => {
    const token = sentBody(seen)['personal_access_token'];
    return { ...body, message: `${String(body['message'])} Token: ${String(token ?? '')}` };
  }),
  'registry.publish.pat-not-echoed~on-success': onBody(201, (body, seen) => ({
    ...body,
    token: sentBody(seen)['personal_access_token'],
  })),
  'registry.errors.shape~detail': onBody(errors, ({ message }) => ({ detail: message })),
  'registry.errors.shape~bare-500': [
    when([status(400), bodyFits(({ node }) => node === null)], asNothing(500)),
    along('a null is of the wrong type', 'registry.publish.wrong-types'),
  ],
  'registry.errors.shape~no-message': onBody(errors, ({ message: _left, ...body }) => body),
  'registry.errors.shape~error-as-number': (answer) =>
    onJson(answer, errors, (body) => ({ ...body, error: answer.status })),
  'registry.errors.shape~plain-text': when(status(...errors), asText('text/plain', 'Deviant on purpose.')),
});

/** Deviations of publishing. */
export const publishRefusalDeviations: readonly Deviation[] = [...checks, ...rights];

// --- internal ---

/** Requests whose body has members, but lacks this one. */
function leavesOut(member: string): Condition {
  return bodyFits((body) => Object.keys(body).length > 0 && !Object.hasOwn(body, member));
}

function versionIn({ node_version: version }: Readonly<Record<string, unknown>>): string {
  return isRecord(version) ? String(version['version']) : '';
}
