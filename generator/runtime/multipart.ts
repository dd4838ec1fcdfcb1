import { isBytes, isJson, itemsOf, membersOf, own, plain } from './bodies.ts';
import type { BodyWriter } from './bodies.ts';
import type { MemberDescription } from './operation.ts';

/**
 * `multipart/form-data` and its relatives: each item of a list is a part, bytes are files, objects are JSON. The platform's
 * `FormData` cannot give a media type to a part that is no file.
 */
export const multipart: BodyWriter = (value, { mediaType = 'multipart/form-data', members = {} } = {}) => {
  const boundary = `----part${digits()}${digits()}`;
  const isForm = /^multipart\/form-data/i.test(mediaType);
  const pieces = membersOf(value).flatMap(([name, item]) =>
    partsOf(name, item, own(members, name)).flatMap(({ name: partName, type, filename, content }) => {
      const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
      const kind = type ?? (isForm ? '' : 'text/plain');
      const head = [
        `--${boundary}`,
        ...(isForm ? [`Content-Disposition: form-data; name="${quoted(partName)}"${file}`] : []),
        ...(kind === '' ? [] : [`Content-Type: ${kind}`]),
      ];
      return [`${head.join('\r\n')}\r\n\r\n`, content, '\r\n'];
    }),
  );
  return new Blob([...pieces, `--${boundary}--\r\n`], { type: `${mediaType}; boundary=${boundary}` });
};

// --- internal ---

interface Part {
  readonly name: string;
  readonly type?: string | undefined;
  readonly filename?: string;
  readonly content: Blob | string;
}

function partsOf(name: string, item: unknown, described: MemberDescription = {}): Part[] {
  const { style, explode = true, mediaType } = described;
  if (style !== undefined) {
    const written: Part[] = [];
    const pairs = new URLSearchParams(style(name, item, explode, encodeURIComponent));
    pairs.forEach((content, partName) => written.push({ name: partName, content }));
    return written;
  }
  // Of several media types, or a range of them, none is known to be that of the value.
  const only = mediaType === undefined || /[,*]/.test(mediaType) ? undefined : mediaType;
  return itemsOf(item).map((one): Part => {
    if (one instanceof Blob || one instanceof ArrayBuffer || isBytes(one)) {
      const blob = one instanceof Blob ? one : new Blob([one]);
      const filename = 'name' in blob && typeof blob.name === 'string' ? blob.name : 'blob';
      return { name, filename, type: blob.type || (only ?? 'application/octet-stream'), content: blob };
    }
    const isObject = typeof one === 'object' && !(one instanceof Date);
    const content = only !== undefined && isJson(only) ? JSON.stringify(one) : plain(one);
    return { name, content, type: only ?? (isObject ? 'application/json' : undefined) };
  });
}

/** As browsers write names: a line break or a quote would end them. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

function digits(): string {
  return Math.random().toString(36).slice(2, 14);
}
