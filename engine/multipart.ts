/**
 * Reads the parts of a multipart body by name. In types such as `multipart/mixed`, a part can lack a name. It then
 * gets the name of the first member for which there is no part.
 *
 * @param members of the body, in the order of the document
 * @param typed the members whose media type decides what they are: it is kept where it is JSON
 */
export function asForm(
  bytes: Uint8Array,
  type: string,
  members: readonly string[],
  typed: ReadonlySet<string> = new Set(),
): { readonly bytes: Uint8Array; readonly type: string } {
  const boundary = boundaryOf(type);
  if (boundary === undefined) return { bytes, type };
  const isFormData = /^\s*multipart\/form-data\s*;/i.test(type);
  if (isFormData && typed.size === 0 && !NAMELESS_BYTES.test(new TextDecoder('latin1').decode(bytes)))
    return { bytes, type };
  const [preamble = '', ...parts] = `\r\n${byteTextOf(bytes)}`.split(`\r\n--${boundary}`);
  const taken = new Set(parts.flatMap((part) => nameIn(headOf(part)) ?? []));
  const free = members.filter((member) => !taken.has(member));
  const named = parts.map((part, index) => {
    const head = headOf(part);
    // The closing delimiter has no header.
    if (part.startsWith('--')) return part;
    const name = nameIn(head) ?? free.shift() ?? `part ${String(index + 1)}`;
    const others = head
      .split('\r\n')
      .filter((line) => line.trim() !== '' && !/^content-disposition\s*:/i.test(line));
    // The platform decodes parts without a file name as text, which would change other bytes.
    const isTyped = isBytes(head) || (typed.has(name) && JSON_TYPE.test(head));
    const [, file = isTyped ? 'blob' : undefined] = /;\s*filename="?([^";\r\n]*)/i.exec(head) ?? [];
    const disposition = `Content-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`;
    return `\r\n${[disposition, ...others].join('\r\n')}\r\n\r\n${part.slice(head.length + 4)}`;
  });
  return {
    bytes: bytesOf([preamble, ...named].join(`\r\n--${boundary}`).slice(2)),
    type: `multipart/form-data; boundary="${boundary}"`,
  };
}

/** The boundary of the parts; `undefined` if the media type has none. */
export function boundaryOf(type: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? [];
  return quoted ?? plain;
}

// --- internal ---

/** Whether the type of a part is neither text nor JSON. */
function isBytes(head: string): boolean {
  const [, type = ''] = /^content-type\s*:\s*([^;\r\n]*)/im.exec(head) ?? [];
  return type !== '' && !/^text\/|[/+](?:json|xml)\s*$/i.test(type);
}

const JSON_TYPE = /^content-type\s*:[^;\r\n]*[/+]json\s*(?:;|$)/im;

/** A part of bytes without a file name may be in the body. */
const NAMELESS_BYTES =
  /\r\nContent-Disposition:(?![^\r\n]*filename)[^\r\n]*\r\nContent-Type:(?! *text\/|[^\r\n;]*[/+](?:json|xml))/i;

/** The header lines of a part. The part begins after its delimiter. */
function headOf(part: string): string {
  if (part.startsWith('\r\n\r\n')) return '';
  const end = part.indexOf('\r\n\r\n');
  return end < 0 ? part : part.slice(0, end);
}

function nameIn(head: string): string | undefined {
  const line = head.split('\r\n').find((each) => /^content-disposition\s*:/i.test(each));
  return line === undefined ? undefined : /;\s*name="([^"]*)"/i.exec(line)?.[1];
}

const CHUNK = 8_192;

/** Decodes each byte as one character. */
function byteTextOf(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    chunks.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return chunks.join('');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
