/** The used part of a syntax error of the YAML library. */
export interface YamlFinding {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

export interface YamlMessage {
  readonly message: string;
  readonly help: string;
}

/**
 * A message for each kind of syntax error that does not require the surrounding text. The library's own
 * sentences describe its parser ("Implicit keys need to be on a single line"), so none of them is shown.
 *
 * @param text the characters at the library's position
 */
export function yamlMessage({ code, message }: YamlFinding, text: string): YamlMessage {
  if (code === 'MISSING_CHAR') return missing(message);
  if (code === 'UNEXPECTED_TOKEN') return unexpected(text);
  if (code === 'BAD_DQ_ESCAPE')
    return { message: `invalid escape sequence ${escapeIn(message)}`, help: 'write \\\\ for a backslash' };
  if (code === 'BAD_SCALAR_START')
    return { message: `a value cannot start with ${text.slice(0, 1)}`, help: QUOTE };
  if (code === 'TAG_RESOLVE_FAILED')
    return {
      message: `unknown tag ${text.slice(0, 40)}`,
      help: 'remove the tag: only plain data is allowed',
    };
  if (code === 'BAD_COLLECTION_TYPE')
    return { message: `the tag ${text.slice(0, 40)} does not fit this value`, help: 'remove the tag' };
  return messages[code] ?? { message: 'invalid YAML', help: 'check the indentation, colons and quotes here' };
}

// --- internal ---

const QUOTE = 'put the value in quotes';

const messages: Readonly<Record<string, YamlMessage>> = {
  ALIAS_PROPS: { message: 'an alias cannot have an anchor or a tag', help: 'remove the anchor or the tag' },
  BAD_ALIAS: {
    message: 'invalid name of an anchor or alias',
    help: `write a name without a colon after & or *; ${QUOTE} if it is a string`,
  },
  BAD_DIRECTIVE: { message: 'invalid YAML directive', help: 'remove the line that begins with %' },
  BAD_INDENT: { message: 'inconsistent indentation', help: 'align this line with the lines around it' },
  BAD_PROP_ORDER: {
    message: 'an anchor or a tag is in the wrong place',
    help: 'put it directly before the value',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a second colon on this line, or the next line is indented too far',
    help: `${QUOTE}, or align the keys`,
  },
  BLOCK_IN_FLOW: {
    message: 'a second colon or an indented block inside { } or [ ]',
    help: 'add the missing comma, or write the inner part with { } or [ ] too',
  },
  KEY_OVER_1024_CHARS: { message: 'the key is longer than 1024 characters', help: 'shorten the key' },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key must be on one line',
    help: 'check for a missing colon or quote',
  },
  MULTIPLE_ANCHORS: { message: 'the value has two anchors', help: 'remove one of them' },
  MULTIPLE_TAGS: { message: 'the value has two tags', help: 'remove one of them' },
  TAB_AS_INDENT: { message: 'a tab is used for indentation', help: 'replace it with spaces' },
};

/** Found by the library's sentence, because its code does not identify what is missing. */
const missingThings: readonly (readonly [RegExp, YamlMessage])[] = [
  [/quote$/, { message: 'unterminated string', help: 'add the closing quote' }],
  [/, .*between/, { message: 'missing comma', help: 'add a comma between the items' }],
  [/space after :/, { message: 'missing space after the colon', help: 'add a space' }],
  [
    /^Comments must/,
    { message: 'missing space before #', help: `add a space before the comment, or ${QUOTE}` },
  ],
  [/^Implicit map keys/, { message: 'missing colon after a key', help: 'write `key: value`' }],
  [/^Sequence item/, { message: 'missing - before a list item', help: 'add - before the item' }],
  [/^Tags and anchors/, { message: 'missing space after a tag or an anchor', help: 'add a space' }],
  [
    /^Block collection/,
    { message: 'the value is on the same line as ---', help: 'move it to the next line' },
  ],
  [/directives-end/, { message: 'missing line --- after a directive', help: 'remove the directive' }],
];

function missing(message: string): YamlMessage {
  const [, known] = missingThings.find(([pattern]) => pattern.test(message)) ?? [];
  return known ?? { message: 'a character is missing', help: 'check the quotes, colons and commas here' };
}

/** The library reports only the position of its first character. */
function escapeIn(message: string): string {
  return /\\\S+/.exec(message)?.[0] ?? '\\';
}

function unexpected(text: string): YamlMessage {
  const [shown = ''] = text.trim().split(/\s/);
  return {
    message: shown === '' ? 'unexpected end of the value' : `unexpected ${shown.slice(0, 40)}`,
    help: 'check the quotes, commas and indentation here',
  };
}
