import type { Schema } from '../../contract/index.ts';
import { contentStyle, styleOf } from '../../contract/served/served-parameters.ts';
import { jsString } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import type { ApiParameter } from './api.ts';
import type { Use } from './runtime-use.ts';

/** How the runtime writes a parameter. */
export function parameterMembers(
  { parameter, member, schema }: ApiParameter,
  path: string,
  table: SchemaTable,
  use: Use,
): [string, string | undefined][] {
  const { name, in: place, mediaType } = parameter;
  const content = mediaType === undefined ? 'simple' : contentStyle(mediaType);
  const inPair = place === 'query' || place === 'cookie';
  const usual = inPair ? 'form' : 'simple';
  const named = styleOf(parameter);
  // A single value needs no joining, so a client without lists and objects does not include that code.
  const single = named === usual && isSingle(schema, table);
  const joined = place === 'cookie' && named === 'form' ? 'formCookie' : named;
  const style =
    content === 'simple' ? (single ? SINGLE_STYLES[usual] : joined) : CONTENT_STYLES[content][usual];
  const encoding =
    style === 'cookie'
      ? 'unencoded'
      : parameter.allowReserved && place === 'query'
        ? 'keepReserved'
        : undefined;
  return [
    ['name', jsString(name)],
    ['in', jsString(place)],
    ['member', member === name ? undefined : jsString(member)],
    ['style', use('parameters', style)],
    [
      'explode',
      content !== 'simple' || single || parameter.explode === inPair ? undefined : String(parameter.explode),
    ],
    ['encode', encoding === undefined ? undefined : use('parameters', encoding)],
    ['empty', place === 'path' && !isWholeSegment(path, name) ? 'true' : undefined],
  ];
}

// --- internal ---

const CONTENT_STYLES = {
  json: { form: 'jsonPair', simple: 'jsonText' },
  urlencoded: { form: 'formPair', simple: 'formText' },
} as const;
const SINGLE_STYLES = { form: 'singlePair', simple: 'singleText' };

/** Whether a parameter is all that its segment has, or may have: its neighbours may be empty as well. */
function isWholeSegment(path: string, name: string): boolean {
  const [before = '', after = ''] = path.split(`{${name}}`);
  return /[/}]$/.test(before) && /^[/?#{]|^$/.test(after);
}

/** Whether all values are texts, numbers and similar: neither lists nor objects. */
function isSingle(schema: Schema, table: SchemaTable, depth = 0): boolean {
  if (!isObject(schema) || depth > 10) return false;
  const { $ref, type, const: value, enum: values } = schema;
  if (typeof $ref === 'string') {
    const target = table.follow($ref);
    return target !== undefined && isSingle(target.schema, table, depth + 1);
  }
  if (type !== undefined)
    return (Array.isArray(type) ? type : [type]).every((one) => one !== 'array' && one !== 'object');
  const known = value === undefined ? values : [value];
  return Array.isArray(known) && known.every((one) => typeof one !== 'object');
}
