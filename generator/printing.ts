/**
 * The few functions through which text enters generated code. Document text is untrusted: it is printed only
 * as a string literal, as a comment, or as an identifier that names.ts has made.
 */

/**
 * Text that is already code, made by this generator and never by a document. Templates print nothing else
 * unquoted.
 */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function code(text: string): Code {
  return new Code(text);
}

/** A string literal of TypeScript. It stays on one line and inside its quotes, also inside HTML. */
export function jsString(value: string): string {
  return `'${value.replace(UNSAFE_IN_STRING, escapeCharacter)}'`;
}

/** A property name in a type or an object literal: unquoted if that is legal. */
export function propertyName(name: string): string {
  return PLAIN_NAME.test(name) && name !== '__proto__' ? name : jsString(name);
}

/** A member access on an expression. */
export function memberAccess(name: string): string {
  return PLAIN_NAME.test(name) ? `.${name}` : `[${jsString(name)}]`;
}

/** Whether every object has a member of this name. */
export function isInherited(name: string): boolean {
  return INHERITED.has(name);
}

/** A JSON value as an expression. `__proto__` becomes a computed key: a plain one would set the prototype. */
export function jsValue(value: unknown): string {
  if (typeof value === 'string') return jsString(value);
  if (Array.isArray(value)) return `[${value.map(jsValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${memberKey(name)}: ${jsValue(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** An expression that can span several lines: code, a list, or an object. */
export type Expression =
  | string
  | { readonly list: readonly Expression[] }
  | { readonly members: readonly (readonly [name: string, value: Expression])[] };

/** The value of `jsValue`, as a layout. */
export function valueExpression(value: unknown): Expression {
  if (Array.isArray(value)) return { list: value.map(valueExpression) };
  if (typeof value !== 'object' || value === null) return jsValue(value);
  return { members: Object.entries(value).map(([name, member]) => [name, valueExpression(member)]) };
}

/** An object of the members that have a value. */
export function objectExpression(
  members: readonly (readonly [name: string, value: Expression | undefined])[],
): Expression {
  return {
    members: members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  };
}

/**
 * Prints an expression on one line if it fits, else with one line for each of its parts.
 *
 * @param indent of the first line
 * @param column where the expression begins on that line
 */
export function layout(expression: Expression, indent: number, column: number): string {
  const line = flat(expression);
  if (typeof expression === 'string' || column + line.length < LINE_WIDTH) return line;
  const margin = ' '.repeat(indent + 2);
  const [open, close, parts] =
    'list' in expression
      ? ['[', ']', expression.list.map((item) => layout(item, indent + 2, indent + 2))]
      : [
          '{',
          '}',
          expression.members.map(([name, value]) => {
            const key = `${typedKey(name)}: `;
            return key + layout(value, indent + 2, indent + 2 + key.length);
          }),
        ];
  return `${open}\n${parts.map((part) => `${margin}${part},\n`).join('')}${' '.repeat(indent)}${close}`;
}

/** Parameters or arguments in parentheses: on one line if they fit, else one per line. */
export function parenthesised(
  parts: readonly string[],
  { indent, before, after }: { readonly indent: number; readonly before: number; readonly after: number },
): string {
  const line = `(${parts.join(', ')})`;
  if (before + line.length + after <= LINE_WIDTH || parts.length === 0) return line;
  const margin = ' '.repeat(indent + 2);
  return `(\n${parts.map((part) => `${margin}${part},\n`).join('')}${' '.repeat(indent)})`;
}

/** Text for one line of a comment. It can neither break the line nor end the comment. */
export function lineComment(text: string): string {
  return neutralise(text.replace(CONTROL, ' ')).replace(/\s+/g, ' ').trim();
}

/**
 * A JSDoc block, wrapped at 100 columns, with a line break at its end; empty without paragraphs. `@` at the
 * start of a word of the text is escaped, so that it is not read as a tag.
 */
export function jsComment(paragraphs: readonly string[], indent = 0): string {
  const margin = ' '.repeat(indent);
  const lines = paragraphs.flatMap((paragraph) => wrap(neutralise(paragraph), 97 - indent));
  const [first] = lines;
  if (first === undefined) return '';
  if (lines.length === 1) return `${margin}/** ${first} */\n`;
  return `${margin}/**\n${lines.map((line) => `${margin} * ${line}`.trimEnd()).join('\n')}\n${margin} */\n`;
}

/** Text for one cell or line of Markdown, without markup. */
export function markdown(text: string): string {
  return lineComment(text).replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&');
}

/** The same as code; more backticks are used around a text that contains some. */
export function markdownCode(text: string): string {
  const line = lineComment(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/**
 * The paragraphs of a document's prose, for `jsComment`: tags in the text are escaped, and an empty text
 * results in none.
 */
export function prose(...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text) => {
    const trimmed = text?.trim() ?? '';
    return trimmed === '' ? [] : [trimmed.replace(/(^|\s)@(?=[a-z])/gim, '$1\\@')];
  });
}

// --- internal ---

const LINE_WIDTH = 110;

function flat(expression: Expression): string {
  if (typeof expression === 'string') return expression;
  if ('list' in expression) return `[${expression.list.map(flat).join(', ')}]`;
  const members = expression.members.map(([name, value]) => `${typedKey(name)}: ${flat(value)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function memberKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyName(name);
}

/**
 * A key that leaves a member the type that it has by its place: the compiler takes that of `constructor` and the like from
 * `Object`, unless it does not know the name.
 */
function typedKey(name: string): string {
  return isInherited(name) ? `[${jsString(name)} as string]` : propertyName(name);
}

const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

// `<` keeps `</script>` and `<!--` out of a page that inlines a bundle; lone surrogates do not survive UTF-8.
const UNSAFE_IN_STRING =
  /['\\\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|<(?=[/!])|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeCharacter(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Prevents `*` + `/`, also where removing characters between them would create the pair. */
function neutralise(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .split('\n')
    .map((line) => line.replace(/\t/g, '  ').replace(CONTROL, ''))
    .join('\n')
    .replace(/\*(?=\/)/g, '*\\')
    .replace(/<(?=[/!])/g, '<\\');
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    const rows: string[] = [];
    let row = indent;
    for (const word of line.trim().split(/ +/)) {
      if (row.length > indent.length && row.length + 1 + word.length > width) {
        rows.push(row);
        row = indent + word;
      } else {
        row += row.length > indent.length ? ` ${word}` : word;
      }
    }
    return [...rows, row];
  });
}
