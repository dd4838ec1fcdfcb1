import { contentFor } from '../judge/bodies.ts';
import type { MediaType } from '../model.ts';
import { carriedBy, type ChangeCollector, otherParty } from './change-collector.ts';
import type { Effect } from './change.ts';
import type { Way } from './schemas/comparing.ts';
import { comparePieces } from './pieces.ts';
import { isJson } from '../judge/body-format.ts';

/** The contents of a body on both sides, with their places. */
export interface Contents {
  readonly old: readonly MediaType[];
  readonly new: readonly MediaType[];
  readonly before: string;
  readonly after: string;
  readonly label: string;
  readonly operation: string;
  /** The effect of an additional content on the party that receives it. */
  readonly added: { readonly receiver: Effect; readonly reason?: string };
}

/** Compares media types and their schemas. */
export function compareContents(ledger: ChangeCollector, contents: Contents, way: Way): void {
  const { label, operation } = contents;
  const { sender } = way;
  const receiver = otherParty(sender);
  const operations = [operation];
  const matched = new Set<MediaType>();
  for (const before of contents.old) {
    const exact = contents.new.find(({ mediaType }) => essence(mediaType) === essence(before.mediaType));
    const wider = contentFor(contents.new, before.mediaType);
    const narrower = contents.new.find(({ mediaType }) => contentFor([before], mediaType) === before);
    const after = exact ?? wider ?? narrower;
    if (after === undefined) {
      ledger.add({
        ...{
          kind: 'media-type-removed',
          [sender]: 'wire',
          [receiver]: way.direction === 'response' ? 'wire' : 'code',
        },
        says: `${label} is no longer ${before.mediaType}`,
        ...{ before: before.pointer, after: contents.after, operations },
      });
      continue;
    }
    matched.add(after);
    if (exact === undefined)
      ledger.add({
        ...{ kind: 'media-type-changed', [after === wider ? receiver : sender]: 'wire' },
        says: `${label} was ${before.mediaType} and is ${after.mediaType}`,
        ...{ before: before.pointer, after: after.pointer, operations },
      });
    else if (
      before.mediaType !== after.mediaType &&
      parametersOf(before.mediaType) !== parametersOf(after.mediaType)
    )
      ledger.add({
        ...{ kind: 'media-type-changed', callers: 'unknown', servers: 'unknown' },
        says: `${label} was ${before.mediaType} and is ${after.mediaType}`,
        reason: 'the document does not say what its parameters mean',
        ...{ before: before.pointer, after: after.pointer, operations },
      });
    if (comparePieces(ledger, { before, after, label, operation }, way)) continue;
    const isText =
      !isJson(after.mediaType) && essence(after.mediaType) === 'application/x-www-form-urlencoded';
    ledger.compare(
      carriedBy(before),
      carriedBy(after),
      { ...way, ...(isText ? { isText } : {}) },
      label,
      operation,
    );
    compareEncodings(ledger, before, after, contents);
  }
  for (const after of contents.new) {
    if (matched.has(after) || contents.old.length === 0) continue;
    ledger.add({
      ...{ kind: 'media-type-added', [receiver]: contents.added.receiver },
      says: `${label} can be ${after.mediaType}`,
      ...(contents.added.reason === undefined ? {} : { reason: contents.added.reason }),
      ...{ before: contents.before, after: after.pointer, operations },
    });
  }
}

// --- internal ---

function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function parametersOf(mediaType: string): string {
  return mediaType
    .split(';')
    .slice(1)
    .map((parameter) => parameter.trim().toLowerCase())
    .sort()
    .join(';');
}

function compareEncodings(
  ledger: ChangeCollector,
  before: MediaType,
  after: MediaType,
  { label, operation }: Contents,
): void {
  const [was, is] = [before, after].map(
    ({ encoding }) => new Map(encoding.map((each) => [each.name, JSON.stringify(each)])),
  );
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    if (was?.get(name) === is?.get(name)) continue;
    ledger.add({
      ...{ kind: 'encoding-changed', callers: 'wire', servers: 'wire' },
      says: `${label}: the member ${name} is written in another way`,
      ...{ before: before.pointer, after: after.pointer, operations: [operation] },
    });
  }
}
