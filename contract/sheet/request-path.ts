import type { Operation } from '../model.ts';

/**
 * The path of an operation as a request has it. Some documents distinguish operations by a query in the path, such as
 * `/{Bucket}?acl`, and declare `acl` as a parameter as well: the parameter writes the pair then.
 */
export function requestPath({ path, parameters }: Pick<Operation, 'path' | 'parameters'>): string {
  const at = path.indexOf('?');
  if (at < 0) return path;
  const [query = '', ...fragment] = path.slice(at + 1).split('#');
  const pairs = query
    .split('&')
    .filter(
      (pair) =>
        !parameters.some(({ in: place, name, required }) => place === 'query' && required && name === pair),
    );
  const kept = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return path.slice(0, at) + kept + fragment.map((text) => `#${text}`).join('');
}
