import type { DeviationListing } from '../../mock/index.ts';

/** Whether a deviation could be one of any contract, or only of one with an idea of our three APIs. */
export type Kind = 'general' | 'own';

/** Deviations of one kind for one reason. */
export interface Reason {
  readonly is: Kind;
  readonly because: string;
  /** Ids of deviations or of rules, or their beginnings, which end with a dot or a hyphen. The longest one that fits counts. */
  readonly of: readonly string[];
}

/** Every deviation of the built-in contracts. */
export const reasons: readonly Reason[] = [
  {
    is: 'general',
    because: 'lists with pages, and what they leave out',
    of: ['router.list.', 'router.cursor.'],
  },
  {
    is: 'general',
    because: 'keys that are remembered, released and raced',
    of: ['router.idem.', 'jobs.idem.', 'jobs.errors.reuse-is-422'],
  },
  {
    is: 'general',
    because: 'entity tags, and what is compared with them',
    of: [
      'router.schema.200',
      'router.schema.etag-format',
      'router.schema.inm-304',
      'router.schema.inm-weak',
      'router.schema.inm-list',
      'router.schema.inm-star',
      'router.schema.inm-miss',
      'router.schema.304-no-body',
      'router.schema.304-headers',
    ],
  },
  {
    is: 'general',
    because: 'credentials: none, refused, of another caller, without a right',
    of: [
      'router.auth.',
      'registry.publish.auth-required',
      'registry.publish.key-as-bearer',
      'registry.publish.403',
      'proxy.auth.',
      'jobs.auth.',
      'router.run.403-forbidden',
    ],
  },
  {
    is: 'general',
    because: 'errors: their shape, their buckets or codes, and which failure has which of them',
    of: [
      'router.errors.',
      'router.headers.',
      'router.run.404-',
      'router.run.503-',
      'router.run.504-',
      'router.run.content-policy',
      'router.run.provider-error',
      'router.run.insufficient-credits',
      'router.run.422-shape',
      'router.run.422-no-error-type',
      'router.run.422-bucket-header',
      'router.run.422-entry-required',
      'router.run.422-ctx-absent',
      'registry.errors.',
      'proxy.errors.',
      'jobs.errors.',
    ],
  },
  {
    is: 'general',
    because: 'bounds of what runs at once and of how long it runs',
    of: ['router.run.429-', 'router.run.504-deadline', 'router.run.504-deadline-not-early'],
  },
  {
    is: 'general',
    because: 'things that do not exist, and reads that show the thing of their path',
    of: [
      'router.detail.404',
      'router.detail.404-bucket',
      'router.detail.identity',
      'router.schema.404',
      'jobs.read.',
      'jobs.cancel.unknown',
      'jobs.sse.unknown-job',
      'jobs.submit.durable',
      'jobs.job.failed-not-http-error',
      'registry.publish.echo-version',
      'registry.publish.echo-members',
      'registry.publish.own-address',
      'registry.node-version.download-url-output-only',
      'proxy.skin.task-per-call',
      'proxy.skin.task-id-uuid',
      'jobs.job.id-uuid',
    ],
  },
  {
    is: 'general',
    because: 'answers whose status, type or members the document declares',
    of: [
      'router.run.ok',
      'router.run.single-response',
      'router.run.no-202',
      'router.run.output-object',
      'router.detail.ok',
      'router.detail.billing-object',
      'router.detail.policy-charge-string',
      'router.ids.provider-pattern',
      'router.ids.model-pattern',
      'router.ids.id-pattern',
      'router.ids.per-segment-bound',
      'registry.publish.201',
      'registry.publish.201-shape',
      'registry.publish.signed-url',
      'registry.node.enum-status',
      'registry.node-version.enum-status',
      'registry.publisher.enum-status',
      'registry.formats.',
      'registry.node.translations-shape',
      'proxy.skin.200',
      'proxy.skin.200-shape',
      'jobs.submit.201',
      'jobs.job.required-fields',
      'jobs.job.date-times',
      'jobs.job.nullables',
      'jobs.job.outputs-objects',
      'jobs.job.metrics-nullable~null',
    ],
  },
  {
    is: 'general',
    because: 'requests that the document allows or forbids',
    of: [
      'router.run.body-required',
      'router.run.malformed-json',
      'router.run.non-object-body',
      'router.run.open-input',
      'registry.publish.',
      'registry.node.nothing-required',
      'proxy.skin.sharpen-range',
      'proxy.skin.grain-range',
      'proxy.skin.range-inclusive',
      'proxy.skin.body-refused',
      'proxy.skin.webhook-optional',
      'proxy.skin.webhook-refused',
      'jobs.submit.malformed-json',
      'jobs.submit.webhook-url-rejected',
      'jobs.submit.inputs-rejected',
      'jobs.submit.reserved-null',
    ],
  },
  {
    is: 'general',
    because: 'values that are unique, also among calls at once',
    of: [
      'registry.publish.version-unique',
      'registry.publish.version-unique-race',
      'registry.publish.version-unique-per-node',
      'registry.publish.other-version-free',
      'registry.publish.refused-not-taken',
    ],
  },
  {
    is: 'general',
    because: 'states, their order, and members that depend on them',
    of: [
      'jobs.state.',
      'jobs.cancel.',
      'jobs.submit.queued',
      'jobs.job.status-enum',
      'jobs.job.started-at-set',
      'jobs.job.started-at-null-queued',
      'jobs.job.time-order',
      'jobs.job.times-stay',
      'jobs.job.frozen-after-end',
      'jobs.job.expires-after-creation',
      'jobs.job.error-on-failed',
    ],
  },
  {
    is: 'general',
    because: 'members that are present only in some answers',
    of: [
      'router.detail.schema-url-https',
      'router.detail.schema-url-absent-not-null',
      'jobs.logs.get-only-post',
      'jobs.logs.get-only-cancel',
      'jobs.logs.get-only-stream',
      'jobs.logs.absent-not-null',
      'jobs.logs.not-before-finish',
      'jobs.logs.lifetime',
    ],
  },
  { is: 'general', because: 'links that lead to the thing that they are about', of: ['jobs.urls.'] },
  { is: 'general', because: 'streams of events: their form, their states, their end', of: ['jobs.sse.'] },
  {
    is: 'general',
    because: 'values of a path that are read once, and not repaired',
    of: ['router.ids.segment-revalidated'],
  },

  {
    is: 'own',
    because: 'the id of a model is made of two parts, of which a path may have a third',
    of: ['router.ids.id-is-join', 'router.ids.no-variant', 'router.ids.variant-not-addressable'],
  },
  {
    is: 'own',
    because: 'a call is passed on to a model, byte by byte',
    of: ['router.run.body-forwarded', 'router.run.output-unchanged'],
  },
  {
    is: 'own',
    because: 'another operation serves the schema of a call',
    of: [
      'router.schema.is-openapi',
      'router.schema.refs-local',
      'router.schema.describes-body',
      'router.schema.model-id-ext',
      'router.schema.authored-bool',
      'router.schema.fallback-permissive',
      'router.run.schema-is-enforced',
      'router.run.schema-valid-not-invalid-input',
      'router.detail.schema-url-vs-authored',
      'router.detail.schema-url-when-authored',
    ],
  },
  {
    is: 'own',
    because: 'a model refuses its input with the places of all faults in it',
    of: ['router.run.422-loc-index-integer', 'router.run.422-one-per-field', 'router.run.422-input-any'],
  },
  {
    is: 'own',
    because: 'amounts of money: where they may stand, and where not',
    of: [
      'router.body.no-cost-figures',
      'router.detail.no-prices',
      'router.credits-header.',
      'router.run.429-spend-headers',
      'router.run.429-detail-names-bound',
      'router.run.429-only-beyond~refused-spend-held',
      'router.idem.release-429~beyond-the-spend-recorded',
    ],
  },
  {
    is: 'own',
    because: 'names that are planned and not served yet, and suggestions of other names',
    of: [
      'router.queue.not-served',
      'router.contract.route-prefix',
      'router.errors.forecast-never',
      'router.run.404-suggestions-max3',
      'router.run.404-suggestions-visible',
    ],
  },
  { is: 'own', because: 'two of our APIs share a host', of: ['router.proxy.same-credential'] },
  {
    is: 'own',
    because: 'the numbers of versions are semantic versions',
    of: ['registry.publish.semver', 'registry.publish.semver-forms'],
  },
  {
    is: 'own',
    because: 'a second secret is in the body',
    of: ['registry.publish.pat-checked', 'registry.publish.pat-not-echoed'],
  },
  {
    is: 'own',
    because: 'spellings of names and ids that the document does not declare',
    of: ['registry.names.created-at-mix', 'registry.publisher.id-lowercase'],
  },
  {
    is: 'own',
    because: 'pictures, in one of several forms',
    of: ['proxy.skin.image-forms', 'proxy.skin.image-refused'],
  },
  {
    is: 'own',
    because: 'graphs: what can run, what they refer to, and what is wrong with a node',
    of: [
      'jobs.submit.',
      'jobs.idem.duplicate-422~freed-by-an-export',
      'jobs.idem.invalid-second-422',
      'jobs.idem.release-on-ui-format',
      'jobs.errors.shape~crash-on-a-thin-node',
    ],
  },
  {
    is: 'own',
    because: 'progress, previews and metrics of a running graph',
    of: [
      'jobs.job.progress-same-data',
      'jobs.job.outputs-grow',
      'jobs.job.metrics-nullable',
      'jobs.sse.progress-complete',
      'jobs.sse.snapshot-progress',
      'jobs.sse.snapshot-preview',
    ],
  },
  {
    is: 'own',
    because: 'several kinds of installations of one server',
    of: [
      'jobs.auth.self-hosted-open',
      'jobs.auth.demo-open',
      'jobs.logs.surface',
      'jobs.logs.demo-withheld',
      'jobs.logs.success-and-failure',
    ],
  },
];

/**
 * The reason for the kind of a deviation: of the longest entry that fits.
 *
 * @throws {RangeError} if the list has none
 */
export function reasonOf({ id }: Pick<DeviationListing, 'id'>): Reason {
  const [[, reason] = []] = reasons
    .flatMap((one) => one.of.map((entry) => [entry, one] as const))
    .filter(([entry]) => isOf(entry, id))
    .sort(([one], [other]) => other.length - one.length);
  if (reason === undefined) throw new RangeError(`test/twin/kinds.ts does not say what ${id} is`);
  return reason;
}

/** Whether an entry of the list is about a deviation. */
export function isOf(entry: string, id: string): boolean {
  return entry === id || id.startsWith(`${entry}~`) || (/[.-]$/.test(entry) && id.startsWith(entry));
}
