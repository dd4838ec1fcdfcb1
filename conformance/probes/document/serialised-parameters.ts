import { isJson } from '../../../contract/judge/body-format.ts';
import { requestPath } from '../../../contract/sheet/request-path.ts';
import { styleOf } from '../../../contract/served/served-parameters.ts';
import type { Json, Operation, Parameter } from '../../../contract/model.ts';
import { isObject } from '../../exchanges/exchange.ts';
import type { SendOptions } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import { valueKey } from './value-key.ts';

/**
 * The parts of a request with parameters, serialised as the document declares (OpenAPI 3.1, "Style Values").
 */
export function serialisedParameters(
  operation: Operation,
  values: Values,
): Required<Pick<SendOptions, 'fill' | 'headers'>> {
  const fill: Record<string, string> = {};
  const headers: (readonly [string, string])[] = [...wanted(operation)];
  const query: string[] = [];
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter;
    const key = valueKey(operation, parameter);
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) continue;
    if (place === 'path') fill[name] = inPath(parameter, value);
    else if (place === 'query') query.push(...inPairs(parameter, value, encodeURIComponent));
    else if (place === 'header') headers.push([name, plain(parameter, value, String)]);
    else
      cookies.push(
        ...inPairs(parameter, value, styleOf(parameter) === 'cookie' ? String : encodeURIComponent),
      );
  }
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  // Some documents distinguish operations by a query in the path.
  const first = requestPath(operation).includes('?') ? '&' : '?';
  return { fill: { ...fill, '?query': query.length === 0 ? '' : `${first}${query.join('&')}` }, headers };
}

// --- internal ---

/** JSON is preferred, because it can be validated. */
function wanted({ responses }: Operation): readonly (readonly [string, string])[] {
  const types = responses
    .filter(({ status }) => /^2/.test(status))
    .flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  const json = types.length > 1 ? types.find(isJson) : undefined;
  return json === undefined ? [] : [['Accept', `${json}, */*;q=0.5`]];
}

type Encode = (text: string) => string;

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function entriesOf(value: Json): readonly (readonly [string, Json])[] {
  return isObject(value) ? (Object.entries(value) as [string, Json][]) : [];
}

/** The style `simple`: values with commas between them. */
function plain({ explode, mediaType }: Parameter, value: Json, encode: Encode): string {
  if (mediaType !== undefined) return encode(JSON.stringify(value));
  if (Array.isArray(value)) return (value as Json[]).map((item) => encode(text(item))).join(',');
  if (!isObject(value)) return encode(text(value));
  return entriesOf(value)
    .map(([name, item]) => [encode(name), encode(text(item))].join(explode ? '=' : ','))
    .join(',');
}

function inPath(parameter: Parameter, value: Json): string {
  const list = plain(parameter, value, encodeURIComponent);
  const style = styleOf(parameter);
  if (style === 'label') return `.${parameter.explode ? list.replaceAll(',', '.') : list}`;
  if (style !== 'matrix') return list;
  const name = encodeURIComponent(parameter.name);
  if (!parameter.explode || value === null || typeof value !== 'object') return `;${name}=${list}`;
  return list
    .split(',')
    .map((item) => (Array.isArray(value) ? `;${name}=${item}` : `;${item}`))
    .join('');
}

/** The pairs of a query or of cookies. */
function inPairs(parameter: Parameter, value: Json, encode: Encode): readonly string[] {
  const { name, explode, mediaType } = parameter;
  const pair = (key: string, said: string): string => `${encode(key)}=${said}`;
  if (mediaType !== undefined) return [pair(name, encode(JSON.stringify(value)))];
  const style = styleOf(parameter);
  if (Array.isArray(value)) {
    const items = (value as Json[]).map((item) => encode(text(item)));
    if (explode) return items.map((item) => pair(name, item));
    const between = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
    return items.length === 0 ? [] : [pair(name, items.join(between))];
  }
  if (!isObject(value)) return [pair(name, encode(text(value)))];
  const members = entriesOf(value);
  if (style === 'deepObject')
    return members.map(([key, item]) => `${encode(name)}[${encode(key)}]=${encode(text(item))}`);
  return explode
    ? members.map(([key, item]) => pair(key, encode(text(item))))
    : [pair(name, plain(parameter, value, encode))];
}
