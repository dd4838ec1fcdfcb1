/** A media type without its parameters. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Whether a media type is another one, or one of a range: of a type, of all types, or of a suffix such as `application/*+json`. */
export function isOf(range: string, mediaType: string): boolean {
  const [kind = '', subtype = ''] = essenceOf(mediaType).split('/');
  const [wantedKind = '', wanted = ''] = essenceOf(range).split('/');
  if (wantedKind !== '*' && wantedKind !== kind) return false;
  return wanted.startsWith('*') ? subtype.endsWith(wanted.slice(1)) : wanted === subtype;
}
