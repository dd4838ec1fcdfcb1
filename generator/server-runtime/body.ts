import type { ServedContent, ServedOperation } from './operation.ts';

export type ReadBody =
  | { readonly ok: true; readonly value: unknown; readonly content: ServedContent | undefined }
  | { readonly ok: false; readonly cause: 'badInput' | 'mediaType'; readonly message: string };

/** Reads a body by its media type, which has to be one that the document takes. */
export async function readBody(
  operation: ServedOperation,
  bytes: Uint8Array,
  headers: Headers,
): Promise<ReadBody> {
  const { body } = operation;
  if (body === undefined) return { ok: true, value: undefined, content: undefined };
  const declared = headers.get('content-type');
  if (bytes.length === 0 && declared === null) {
    if (!body.required) return { ok: true, value: undefined, content: undefined };
    return { ok: false, cause: 'badInput', message: 'The request has to have a body.' };
  }
  const essence = (declared?.split(';')[0] ?? '').trim().toLowerCase();
  const content = body.contents.find(({ mediaType }) => isOf(mediaType, essence));
  if (content === undefined) {
    const known = body.contents.map(({ mediaType }) => mediaType).join(' or ');
    return {
      ok: false,
      cause: 'mediaType',
      message: `The body has to be ${known}, and its header to say so.`,
    };
  }
  return read(content, bytes, declared ?? content.mediaType);
}

// --- internal ---

async function read(content: ServedContent, bytes: Uint8Array, type: string): Promise<ReadBody> {
  const good = (value: unknown): ReadBody => ({ ok: true, value, content });
  const bad = (message: string): ReadBody => ({ ok: false, cause: 'badInput', message });
  switch (content.carriage) {
    case 'json': {
      const text = textOf(bytes);
      if (text === undefined) return bad('The body is no text in UTF-8.');
      try {
        return good(JSON.parse(text) as unknown);
      } catch {
        return bad('The body is no JSON.');
      }
    }
    case 'form': {
      const text = textOf(bytes);
      if (text === undefined) return bad('The body is no text in UTF-8.');
      return good(gathered([...new URLSearchParams(text).entries()]));
    }
    case 'multipart':
      try {
        const parts = await new Response(bytes as Uint8Array & { readonly buffer: ArrayBuffer }, {
          headers: { 'Content-Type': type },
        }).formData();
        return good(gathered([...parts.entries()]));
      } catch {
        return bad('The body is no form with parts.');
      }
    case 'binary':
      return good(new Blob([bytes as Uint8Array & { readonly buffer: ArrayBuffer }], { type }));
    case 'text':
    case 'events':
      return good(new TextDecoder().decode(bytes));
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What stands more than once becomes a list. */
function gathered(entries: readonly (readonly [string, unknown])[]): object {
  const members = new Map<string, unknown[]>();
  for (const [name, value] of entries) members.set(name, [...(members.get(name) ?? []), value]);
  return Object.fromEntries(
    [...members].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function isOf(mediaType: string, essence: string): boolean {
  const wanted = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (wanted === essence || wanted === '*/*') return true;
  return wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1));
}
