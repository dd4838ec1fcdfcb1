/** The header of a condition (RFC 9110, section 13.1.2). */
export function asCondition(tags: string): readonly [string, string] {
  return ['If-None-Match', tags];
}

/** Conditions that match an answer with this tag: weakly, at any place of a list, in a second line, and any answer. */
export function matchesOf(
  tag: string,
  opaque: string,
): readonly (readonly [string, ...(readonly string[])])[] {
  return [
    ['current', tag],
    ['weak', tag.startsWith('W/') ? opaque : `W/${opaque}`],
    ['list', `"tallystick-other", ${tag}`],
    ['list', `${tag} , W/"tallystick-other"`],
    ['list', `"tallystick-1","tallystick-2",${tag}`],
    // A field may be in several lines (RFC 9110, section 5.3).
    ['list', '"tallystick-1"', tag],
    ['any', '*'],
  ];
}

/** Tags that are not the current one: another one, and those that are similar to it. */
export function otherTags(inner: string): readonly string[] {
  const upper = inner.toUpperCase();
  const inOtherCase = upper === inner ? inner.toLowerCase() : upper;
  const others = ['tallystick-other', '*', `${inner}x`, inner.slice(0, -1), inOtherCase];
  return [...new Set(others.filter((one) => one !== inner))].flatMap((one) => [`"${one}"`, `W/"${one}"`]);
}
