/** Name, value, name, value, … as on the wire. */
export type RawHeaders = readonly string[];

/** One line of a header. */
export type Header = readonly [name: string, value: string];

/** Hop-by-hop headers, which belong to one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers to forward, in their order and case: all except hop-by-hop headers and those that `Connection` names.
 *
 * @param host the new value of `Host`; unchanged if this is absent
 */
export function endToEnd(raw: RawHeaders, host?: string): string[] {
  const named = valuesOf(raw, 'connection')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    // These determine target and length of a message, so `Connection` may not remove them.
    .filter((name) => !['host', 'content-length', 'content-type'].includes(name));
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named.includes(lower)) continue;
    kept.push(name, lower === 'host' && host !== undefined ? host : (raw[index + 1] ?? ''));
  }
  return kept;
}

/** The first value of a header, its name in any case. */
export function valueOf(raw: RawHeaders, wanted: string): string | undefined {
  return valuesOf(raw, wanted)[0];
}

/** All values of a header, its name in lower case. */
export function valuesOf(raw: RawHeaders, wanted: string): string[] {
  const values: string[] = [];
  // Each message is searched several times: only names of the wanted length are compared.
  for (let index = 0; index + 1 < raw.length; index += 2)
    if (raw[index]?.length === wanted.length && raw[index]?.toLowerCase() === wanted)
      values.push(raw[index + 1] ?? '');
  return values;
}

export function pairsOf(raw: RawHeaders): Header[] {
  const pairs: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return pairs;
}
