import { createHash } from 'node:crypto';
import { cutAnswer, jsonAnswer, type Answer } from '../../call/answer.ts';
import type { Behaviour } from '../../call/call.ts';
import { refuse, type Registry, type RegistryRefusal } from './context.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import { ARCHIVE_LIMIT } from './options.ts';
import { UPLOAD_DROPS, UPLOAD_EXPIRED } from './scenarios.ts';

/** The path for archives of versions; it differs from every route of the contract. */
export const UPLOADS = '/uploads';

export function uploadPath(versionId: string): string {
  return `${UPLOADS}/${versionId}`;
}

/** Whether a path is that of an upload address. */
export function isUploadPath(path: string): boolean {
  return VERSION_OF.test(path);
}

/**
 * Accepts an archive at a signed address and reports what it received. Only the signature proves the right to upload
 * (open point A-48).
 */
export function upload(registry: Registry): Behaviour {
  return (call, next) => {
    const [, id] = call.match.kind === 'none' ? (VERSION_OF.exec(call.request.path) ?? []) : [];
    if (id === undefined) return next();
    const { method, status, afterwards } = registry.assume('A-48');
    const refused = (refusal: RegistryRefusal): Answer =>
      refuse(registry, call, { ...refusal, because: 'A-48' });
    if (call.request.method !== method) {
      const message = `An upload address accepts ${method} only.`;
      return refused({
        ...{ status: 405, error: 'method_not_allowed', message },
        headers: [['Allow', method]],
      });
    }
    const version = registry.state.uploads.get(id);
    const { path, query, raw } = call.request;
    const verdict = registry.state.signer.verify(path, query, registry.clock.now());
    if (verdict === 'expired' || (verdict === 'good' && scenarioOf(call.facts) === UPLOAD_EXPIRED))
      return refused({ status: afterwards, error: 'expired', message: 'This upload address has expired.' });
    if (verdict === 'forged' || version === undefined)
      return refused({ status: 403, error: 'forbidden', message: 'This upload address was not made here.' });
    const { cutUploads } = registry.state;
    if (scenarioOf(call.facts) === UPLOAD_DROPS || cutUploads.has(id)) {
      call.facts.scenario = UPLOAD_DROPS;
      cutUploads.delete(id);
      return cutAnswer();
    }
    const { archiveLimit = ARCHIVE_LIMIT } = registry.options;
    if (raw.body.length > archiveLimit) {
      const message = `An archive may have ${String(archiveLimit)} bytes at most.`;
      return refused({ status: 413, error: 'too_large', message });
    }
    const sha256 = createHash('sha256').update(raw.body).digest('hex');
    const contentType = call.request.header('content-type');
    const stored = { size: raw.body.length, sha256 };
    const typed = contentType === undefined ? {} : { contentType };
    version.archive = { ...stored, ...typed, uploadedAt: registry.clock.now() };
    registry.state.shelf.put(version.archive, raw.body);
    registry.keep?.({ part: 'registry.archive', id, archive: version.archive });
    call.note('upload', `${String(raw.body.length)} bytes for ${version.nodeId} ${version.version}`, 'A-48');
    return jsonAnswer(status, stored, { licence: 'A-48' });
  };
}

// --- internal ---

const VERSION_OF = new RegExp(`^${UPLOADS}/([\\w-]{1,64})$`);
