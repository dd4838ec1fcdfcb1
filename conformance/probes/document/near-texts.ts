import { isRecord } from '../../../contract/index.ts';
import type { Json, JsonObject, MediaType } from '../../../contract/model.ts';
import type { FuzzedBody } from '../../fuzz/negative-arbitrary.ts';
import type { OwnApi } from '../own-api.ts';

/**
 * Bodies with one text that is almost valid: in letters of the other case, or with one character too many. Servers with
 * a pattern that is not anchored accept them, and so do those that compare without regard to case.
 *
 * @param members valid bodies, each with the name of a member whose texts are changed
 * @param takes whether a keyword can be violated in this kind of body
 */
export function nearTexts(
  api: OwnApi,
  content: MediaType,
  members: readonly (readonly [string, Json])[],
  takes: (keyword: string) => boolean,
): readonly FuzzedBody[] {
  return KEYWORDS.filter(takes).flatMap((keyword) =>
    Object.entries(CHANGES[keyword]).flatMap(([says, change]) =>
      members
        .flatMap(([name, valid]) =>
          textsIn((valid as JsonObject)[name], [name]).flatMap((path): FuzzedBody[] => {
            const body = withText(valid, path, change);
            const found = api.bodies.judge('request', content, body);
            const isWrong =
              Array.isArray(found) && found.length > 0 && found.every((one) => one.keyword === keyword);
            return isWrong ? [{ body, says: `/${path.join('/')} ${keyword}: ${says}` }] : [];
          }),
        )
        .slice(0, MOST_TEXTS),
    ),
  );
}

/** The same text in letters of the other case. */
export function inOtherCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join('');
}

// --- internal ---

/** How many texts are changed in each way. */
const MOST_TEXTS = 2;

const KEYWORDS = ['pattern', 'enum'] as const;

const CHANGES: Readonly<
  Record<(typeof KEYWORDS)[number], Readonly<Record<string, (text: string) => string>>>
> = {
  pattern: {
    'letters of the other case': inOtherCase,
    'another character at the end': (text) => `${text}!`,
    'another character at the beginning': (text) => `!${text}`,
  },
  enum: { 'letters of the other case': inOtherCase },
};

function textsIn(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value === 'string') return [path];
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
    : [];
}

function withText(value: Json, [name, ...rest]: readonly string[], change: (text: string) => string): Json {
  if (name !== undefined && isRecord(value))
    return { ...value, [name]: withText(value[name] as Json, rest, change) } as Json;
  return typeof value === 'string' ? change(value) : value;
}
