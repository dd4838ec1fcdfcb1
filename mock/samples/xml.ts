import { isRecord } from '../../contract/index.ts';

/** Whether a media type is XML. */
export function isXml(mediaType: string): boolean {
  return /^(?:application|text)\/xml\b|\+xml\b/i.test(mediaType.trim());
}

/** A value as an XML document with the root element `xml`: members are elements, items of a list repeat their element. */
export function xmlOf(value: unknown): string {
  return element('xml', value);
}

// --- internal ---

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element(name, item)).join('');
  const tag = /^[A-Za-z_][\w.-]*$/.test(name) ? name : '_';
  return `<${tag}>${contentOf(value)}</${tag}>`;
}

function contentOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, member]) => element(name, member))
      .join('');
  return String(value as string | number | boolean)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
