/** Name, value, name, value, … as on the wire. */
export type RawHeaders = readonly string[];

/** One line of a header. */
export type Header = readonly [name: string, value: string];

/** Headers of one connection, which the other connection has its own of (RFC 9110, section 7.6.1). */
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
 * The headers that go on to the other side, in their order and case: all but those of the connection, and those that
 * `Connection` names.
 *
 * @param host what `Host` says from here on; left as it is where this is absent
 */
export function endToEnd(raw: RawHeaders, host?: string): string[] {
  const named = new Set(
    pairsOf(raw)
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(','))
      .map((name) => name.trim().toLowerCase())
      // These say where and how long a message is: no connection may remove them.
      .filter((name) => !['host', 'content-length', 'content-type'].includes(name)),
  );
  return pairsOf(raw).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named.has(lower)) return [];
    return [name, lower === 'host' && host !== undefined ? host : value];
  });
}

/** The first value of a header, its name in any case. */
export function valueOf(raw: RawHeaders, wanted: string): string | undefined {
  return pairsOf(raw).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

export function pairsOf(raw: RawHeaders): Header[] {
  const pairs: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return pairs;
}
