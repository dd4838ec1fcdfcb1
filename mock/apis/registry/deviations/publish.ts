import { isRecord } from '../../../../contract/index.ts';
import { along, breaks } from '../../../deviations/breaks.ts';
import { asJson, asStatus, onBody, type AnswerChange } from '../../../deviations/changes.ts';
import { sends, sentBody, status, when } from '../../../deviations/conditions.ts';
import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

export const onPublish = breaks('publishNodeVersion');

export const published = status(201);

/** Changes the version in an answer. */
const onVersion = (change: (version: JsonRecord, seen: DeviationView) => JsonRecord): AnswerChange =>
  onBody(201, (body, seen) =>
    isRecord(body['node_version']) ? { ...body, node_version: change(body['node_version'], seen) } : body,
  );

/**
 * A node in the answer to a publication. The contract shows no answer with one, but an open body may contain
 * it, and then the tables apply to it.
 */
const withNode = (members: JsonRecord): AnswerChange =>
  onBody(201, (body) => ({
    ...body,
    node: { ...(isRecord(body['node']) ? body['node'] : {}), ...members },
  }));

const withPublisher = (members: JsonRecord): AnswerChange => withNode({ publisher: members });

const answers: readonly Deviation[] = onPublish({
  'registry.publish.201~200': when(published, asStatus(200)),
  'registry.publish.201~no-chunks': when(
    [published, sends('transfer-encoding', 'chunked')],
    asJson(400, { error: 'bad_request', message: 'Deviant on purpose.' }),
  ),
  'registry.publish.201-shape~signed-url-renamed': [
    onBody(201, ({ signedUrl, ...body }) => ({ ...body, signed_url: signedUrl })),
    along('the address is not where it is looked for', 'registry.publish.signed-url'),
  ],
  'registry.publish.201-shape~no-version': [
    onBody(201, ({ node_version: _left, ...body }) => body),
    along(
      'a missing answer shows none of its members',
      'registry.publish.echo-version',
      'registry.publish.echo-members',
      'registry.publish.own-address',
      'registry.node-version.enum-status',
      'registry.names.created-at-mix',
      'registry.formats.date-time',
      'registry.formats.arrays',
      'registry.formats.types',
    ),
  ],
  'registry.publish.signed-url~raw-signature': onBody(201, (body) => ({
    ...body,
    signedUrl: `${String(body['signedUrl'])}&by=\u0007\ufffd`,
  })),
  'registry.publish.signed-url~relative': onBody(201, (body) => {
    const { pathname, search } = new URL(String(body['signedUrl']));
    return { ...body, signedUrl: `${pathname}${search}` };
  }),
  'registry.publish.echo-version~bumped': onVersion((version) => ({
    ...version,
    version: `${String(version['version'])}1`,
  })),
  'registry.publish.echo-members~another-changelog': onVersion((version) => ({
    ...version,
    changelog: 'Deviant on purpose.',
  })),
  'registry.publish.echo-members~characters-split': when(
    sends('transfer-encoding', 'chunked'),
    onVersion(({ changelog, ...version }) =>
      typeof changelog === 'string'
        ? { ...version, changelog: changelog.replace(/[^ -~]/gu, '\ufffd') }
        : version,
    ),
  ),
  'registry.publish.echo-members~lists-reversed': onVersion(({ dependencies: list, ...version }) =>
    Array.isArray(list) ? { ...version, dependencies: list.toReversed() } : version,
  ),
  'registry.publish.echo-members~long-lists-cut': onVersion(({ tags, ...version }) =>
    Array.isArray(tags) ? { ...version, tags: tags.slice(0, 20) } : version,
  ),
  'registry.publish.echo-members~another-node': onVersion((version) => ({
    ...version,
    node_id: 'another-node',
  })),
  'registry.publish.own-address~same-address': onBody(201, (body) => ({
    ...body,
    signedUrl: 'https://files.example.com/archive.zip',
  })),
  'registry.publish.own-address~same-id': onVersion((version) => ({ ...version, id: 'version-1' })),
  'registry.node-version.download-url-output-only~stored': onVersion((version, seen) => {
    const submitted = sentBody(seen)['node_version'];
    const sent = isRecord(submitted) ? submitted['downloadUrl'] : undefined;
    return sent === undefined ? version : { ...version, downloadUrl: sent };
  }),
});

const tables: readonly Deviation[] = onPublish({
  'registry.node-version.enum-status~active': onVersion((version) => ({ ...version, status: 'active' })),
  'registry.node.enum-status~pending': withNode({ status: 'NodeStatusPending' }),
  'registry.publisher.enum-status~deleted': withPublisher({ status: 'PublisherStatusDeleted' }),
  'registry.names.created-at-mix~snake-on-version': [
    onVersion(({ createdAt, ...version }) => ({ ...version, created_at: createdAt })),
    along('a time under another name has no format that could be seen', 'registry.formats.date-time'),
  ],
  'registry.names.created-at-mix~camel-on-node': withNode({ createdAt: '2026-01-05T09:00:00Z' }),
  'registry.formats.date-time~epoch': onVersion((version) => ({ ...version, createdAt: 1_767_603_600 })),
  'registry.formats.date-time~no-time': onVersion((version) => ({ ...version, createdAt: '2026-01-05' })),
  'registry.formats.types~boolean-as-text': onVersion((version) => ({ ...version, deprecated: 'no' })),
  'registry.formats.types~id-as-number': onVersion((version) => ({ ...version, id: 7 })),
  'registry.formats.types~user-as-text': withPublisher({
    members: [{ id: 'm-1', role: 'owner', user: 'ada' }],
  }),
  'registry.formats.types~version-as-text': withNode({ latest_version: '1.0.0' }),
  'registry.formats.arrays~comma-text': [
    onVersion((version) => ({ ...version, dependencies: 'numpy,pillow' })),
    along('it differs from the submitted one', 'registry.publish.echo-members'),
  ],
  'registry.formats.arrays~of-objects': [
    onVersion((version) => ({ ...version, tags: [{ name: 'image' }] })),
    along('it differs from the submitted one', 'registry.publish.echo-members'),
  ],
  'registry.formats.numbers~text': withNode({ downloads: '12' }),
  'registry.formats.numbers~fraction': withNode({ downloads: 12.5 }),
  'registry.publisher.id-lowercase~capital': withPublisher({ id: 'Acme' }),
  'registry.node.translations-shape~text': withNode({ translations: { de: 'Vergrößerer' } }),
});

export const publicationDeviations: readonly Deviation[] = [...answers, ...tables];
