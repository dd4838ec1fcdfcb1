import { type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { along, breaks, sentBody, when } from '../../../deviations/wire.ts';
import { isRecord } from '../../../../contract/index.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

export const operations = ['publishNodeVersion'];

export const published = (answer: Answer): boolean => answer.status === 201;

/** Changes the version that an answer tells. */
const onVersion =
  (change: (version: JsonRecord, seen: DeviationView) => JsonRecord) =>
  (answer: Answer, seen: DeviationView): Answer =>
    onJson(answer, 201, (body) =>
      isRecord(body['node_version']) ? { ...body, node_version: change(body['node_version'], seen) } : body,
    );

/**
 * A node in the answer to a publication: the contract shows no answer with one, but an open body may hold it, and what is
 * there is bound by the tables.
 */
const withNode =
  (members: JsonRecord) =>
  (answer: Answer): Answer =>
    onJson(answer, 201, (body) => ({
      ...body,
      node: { ...(isRecord(body['node']) ? body['node'] : {}), ...members },
    }));

const withPublisher = (members: JsonRecord): ((answer: Answer) => Answer) => withNode({ publisher: members });

const answers: readonly Deviation[] = [
  breaks('registry.publish.201', '200', {
    operations,
    onReply: when(published, (answer) => ({ ...answer, status: 200 })),
  }),
  breaks('registry.publish.201-shape', 'signed-url-renamed', {
    operations,
    alsoFails: along('the address is not where it is looked for', 'registry.publish.signed-url'),
    onReply: (answer) =>
      onJson(answer, 201, ({ signedUrl, ...body }) => ({ ...body, signed_url: signedUrl })),
  }),
  breaks('registry.publish.201-shape', 'no-version', {
    operations,
    alsoFails: along(
      'what is not there shows none of its members',
      'registry.publish.echo-version',
      'registry.publish.echo-members',
      'registry.publish.own-address',
      'registry.node-version.enum-status',
      'registry.names.created-at-mix',
      'registry.formats.date-time',
      'registry.formats.arrays',
      'registry.formats.types',
    ),
    onReply: (answer) => onJson(answer, 201, ({ node_version: _left, ...body }) => body),
  }),
  breaks('registry.publish.signed-url', 'relative', {
    operations,
    onReply: (answer) =>
      onJson(answer, 201, (body) => {
        const { pathname, search } = new URL(String(body['signedUrl']));
        return { ...body, signedUrl: `${pathname}${search}` };
      }),
  }),
  breaks('registry.publish.echo-version', 'bumped', {
    operations,
    onReply: onVersion((version) => ({ ...version, version: `${String(version['version'])}1` })),
  }),
  breaks('registry.publish.echo-members', 'another-changelog', {
    operations,
    onReply: onVersion((version) => ({ ...version, changelog: 'Deviant on purpose.' })),
  }),
  breaks('registry.publish.echo-members', 'lists-reversed', {
    operations,
    onReply: onVersion(({ dependencies: list, ...version }) =>
      Array.isArray(list) ? { ...version, dependencies: list.toReversed() } : version,
    ),
  }),
  breaks('registry.publish.echo-members', 'another-node', {
    operations,
    onReply: onVersion((version) => ({ ...version, node_id: 'another-node' })),
  }),
  breaks('registry.publish.own-address', 'same-address', {
    operations,
    onReply: (answer) =>
      onJson(answer, 201, (body) => ({ ...body, signedUrl: 'https://files.example.com/archive.zip' })),
  }),
  breaks('registry.publish.own-address', 'same-id', {
    operations,
    onReply: onVersion((version) => ({ ...version, id: 'version-1' })),
  }),
  breaks('registry.node-version.download-url-output-only', 'stored', {
    operations,
    onReply: onVersion((version, seen) => {
      const submitted = sentBody(seen)['node_version'];
      const sent = isRecord(submitted) ? submitted['downloadUrl'] : undefined;
      return sent === undefined ? version : { ...version, downloadUrl: sent };
    }),
  }),
];

const tables: readonly Deviation[] = [
  breaks('registry.node-version.enum-status', 'active', {
    operations,
    onReply: onVersion((version) => ({ ...version, status: 'active' })),
  }),
  breaks('registry.node.enum-status', 'pending', {
    operations,
    onReply: withNode({ status: 'NodeStatusPending' }),
  }),
  breaks('registry.publisher.enum-status', 'deleted', {
    operations,
    onReply: withPublisher({ status: 'PublisherStatusDeleted' }),
  }),
  breaks('registry.names.created-at-mix', 'snake-on-version', {
    operations,
    alsoFails: along(
      'a time under another name has no format that could be seen',
      'registry.formats.date-time',
    ),
    onReply: onVersion(({ createdAt, ...version }) => ({ ...version, created_at: createdAt })),
  }),
  breaks('registry.names.created-at-mix', 'camel-on-node', {
    operations,
    onReply: withNode({ createdAt: '2026-01-05T09:00:00Z' }),
  }),
  breaks('registry.formats.date-time', 'epoch', {
    operations,
    onReply: onVersion((version) => ({ ...version, createdAt: 1_767_603_600 })),
  }),
  breaks('registry.formats.date-time', 'no-time', {
    operations,
    onReply: onVersion((version) => ({ ...version, createdAt: '2026-01-05' })),
  }),
  breaks('registry.formats.types', 'boolean-as-text', {
    operations,
    onReply: onVersion((version) => ({ ...version, deprecated: 'no' })),
  }),
  breaks('registry.formats.types', 'id-as-number', {
    operations,
    onReply: onVersion((version) => ({ ...version, id: 7 })),
  }),
  breaks('registry.formats.types', 'user-as-text', {
    operations,
    onReply: withPublisher({ members: [{ id: 'm-1', role: 'owner', user: 'ada' }] }),
  }),
  breaks('registry.formats.types', 'version-as-text', {
    operations,
    onReply: withNode({ latest_version: '1.0.0' }),
  }),
  breaks('registry.formats.arrays', 'comma-text', {
    operations,
    alsoFails: along('it is not what was submitted', 'registry.publish.echo-members'),
    onReply: onVersion((version) => ({ ...version, dependencies: 'numpy,pillow' })),
  }),
  breaks('registry.formats.arrays', 'of-objects', {
    operations,
    alsoFails: along('it is not what was submitted', 'registry.publish.echo-members'),
    onReply: onVersion((version) => ({ ...version, tags: [{ name: 'image' }] })),
  }),
  breaks('registry.formats.numbers', 'text', { operations, onReply: withNode({ downloads: '12' }) }),
  breaks('registry.formats.numbers', 'fraction', { operations, onReply: withNode({ downloads: 12.5 }) }),
  breaks('registry.publisher.id-lowercase', 'capital', {
    operations,
    onReply: withPublisher({ id: 'Acme' }),
  }),
  breaks('registry.node.translations-shape', 'text', {
    operations,
    onReply: withNode({ translations: { de: 'Vergrößerer' } }),
  }),
];

export const publicationDeviations: readonly Deviation[] = [...answers, ...tables];
