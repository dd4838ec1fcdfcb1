import type { Parameter } from '../model.ts';

/**
 * Whether a parameter is a header that HTTP clients write themselves, such as `Accept-Encoding`. Callers rarely decide its
 * value, so no request is refused for it by any schema.
 */
export function isOfTransport({ in: place, name }: Pick<Parameter, 'in' | 'name'>): boolean {
  return (
    place === 'header' &&
    /^(?:accept-encoding|connection|content-length|expect|host|te|transfer-encoding)$/i.test(name)
  );
}
