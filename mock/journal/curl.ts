import { shellWord } from '../../contract/plain-text.ts';

/**
 * The file that a command expects for the certificate of a mock that serves TLS; the control port offers it
 * at `/certificate.pem`.
 */
export const CERTIFICATE_FILE = 'mock.pem';

/** A request for display. */
export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty for none. */
  readonly body: string;
}

/**
 * A request as a curl command for a POSIX shell: curl sends exactly this request, and adds nothing that
 * changes its meaning.
 *
 * @param flags further arguments
 * @param between separates the arguments: a space, or a line end after a backslash
 */
export function asCurl(
  { method, url, headers, body }: WrittenRequest,
  { flags = [], between = ' ' }: { readonly flags?: readonly string[]; readonly between?: string } = {},
): string {
  const usual = body === '' ? 'GET' : 'POST';
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return [
    ['curl', ...flags, shellWord(url)].join(' '),
    ...(url.startsWith('https:') ? [`--cacert ${CERTIFICATE_FILE}`] : []),
    // Without this, curl would expand brackets and braces, and resolve dots.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(url) ? ['--path-as-is'] : []),
    // With -X HEAD curl would wait for a body.
    ...(method === 'HEAD' ? ['--head'] : method === usual ? [] : [`-X ${shellWord(method)}`]),
    // curl sends a header without a value only if it ends with a semicolon.
    ...headers.map(([name, value]) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Without one, curl would declare the body as a form.
    ...(body === '' || hasType ? [] : [`-H ${shellWord('Content-Type:')}`]),
    ...(body === '' ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(between);
}
