/**
 * Document 2, POST …/versions, responses, 201: an upload needs an absolute address. Its scheme is not documented. RFC
 * 3986, section 2: controls and blanks are never in one.
 */
export function isSignedUrl(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\p{Cc}\s"<>\ufffd]+$/iu.test(url) && URL.canParse(url);
}
