import type { MemberEncoding } from '../../contract/index.ts';
import type { BodyFormat } from '../../engine/served-api.ts';
import { type Expression, jsString } from '../printing.ts';
import { alternatives, type ApiBody, type ApiContent, hasPartHeaders, sentType } from './api.ts';
import { list, object, type Use } from './runtime-use.ts';

/** How the runtime writes the bodies that an operation accepts. */
export function bodyObject(body: ApiBody, use: Use): Expression {
  const { content, required } = body;
  const others = alternatives(body);
  const further = others.map((other) => object(contentMembers(other, use)));
  return object([
    ['prepare', use('bodies', 'prepareBody')],
    ...contentMembers(content, use),
    ['others', list(further)],
    ['choose', chooserOf([content, ...others], use)],
    ['required', required ? 'true' : undefined],
  ]);
}

// --- internal ---

const WRITERS: Record<BodyFormat, string> = {
  json: 'json',
  form: 'urlEncoded',
  multipart: 'multipart',
  text: 'text',
  events: 'text',
  lines: 'jsonLines',
  sequence: 'jsonSequence',
  parts: 'multipart',
  binary: 'binary',
};

function chooserOf(contents: readonly ApiContent[], use: Use): string | undefined {
  if (contents.some(hasPartHeaders)) return use('multipart', 'withPartHeaders');
  return contents.length === 1 ? undefined : use('bodies', 'chosenBody');
}

function contentMembers(content: ApiContent, use: Use): [string, Expression | undefined][] {
  const { bodyFormat, encoding } = content;
  const named = sentType(content);
  const members = encoding.flatMap((member): [string, Expression][] => {
    const described = memberObject(member, use);
    return described === undefined ? [] : [[member.name, described]];
  });
  return [
    ['write', use(bodyFormat === 'multipart' ? 'multipart' : 'bodies', WRITERS[bodyFormat])],
    ['mediaType', named === undefined ? undefined : jsString(named)],
    ['typeOf', named === undefined || bodyFormat === 'multipart' ? use('bodies', 'typeOfBlob') : undefined],
    ['members', members.length === 0 ? undefined : object(members)],
  ];
}

function memberObject(
  { contentType, style, explode, allowReserved, headers }: MemberEncoding,
  use: Use,
): Expression | undefined {
  const needed = headers.filter(({ required }) => required).map(({ name }) => jsString(name));
  const needs = ['needs', list(needed)] as const;
  if (style !== undefined) {
    const known = ['spaceDelimited', 'pipeDelimited', 'deepObject'].includes(style) ? style : 'form';
    return object([
      ['style', use('parameters', known)],
      ['explode', explode ? undefined : 'false'],
      ['encode', allowReserved ? use('parameters', 'keepReserved') : undefined],
      needs,
    ]);
  }
  if (contentType === undefined && needed.length === 0) return undefined;
  return object([['mediaType', contentType === undefined ? undefined : jsString(contentType)], needs]);
}
