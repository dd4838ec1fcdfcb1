/** A text without its percent-encoding (RFC 3986, section 2.1). In a text that is not encoded correctly, each percent sign is literal. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
