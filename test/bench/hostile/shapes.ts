/** A text that a stranger may send, of about a size. */
export interface Shape {
  readonly name: string;
  readonly type: string;
  readonly body: (bytes: number) => string;
}

/** Headers and queries are bounded by what carries them, which is part of what is measured. */
export interface Request {
  readonly type: string;
  readonly body: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json';

const fill = (bytes: number, piece: string): string => piece.repeat(Math.ceil(bytes / piece.length));

/** Pieces that differ, up to a size. */
function numbered(bytes: number, piece: (number: number) => string): string[] {
  const count = Math.ceil(bytes / piece(100_000).length);
  return Array.from({ length: count }, (_, number) => piece(number));
}

const part = 'Content-Disposition: form-data; name="a"\r\n\r\nx\r\n';

export const bodyShapes: readonly Shape[] = [
  { name: 'form fields', type: 'application/x-www-form-urlencoded', body: (bytes) => fill(bytes, 'a=&') },
  {
    name: 'multipart parts',
    type: 'multipart/form-data; boundary=b',
    body: (bytes) => `${fill(bytes, `--b\r\n${part}`)}--b--\r\n`,
  },
  {
    name: 'deep nesting',
    type: JSON_TYPE,
    body: (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  },
  { name: 'nesting without end', type: JSON_TYPE, body: (bytes) => fill(bytes, '{"a":') },
  {
    name: 'members',
    type: JSON_TYPE,
    body: (bytes) => `{${numbered(bytes, (n) => `"a${String(n)}":1`).join(',')}}`,
  },
  { name: 'text for a pattern', type: JSON_TYPE, body: (bytes) => `{"name":"${fill(bytes, 'a')}!"}` },
  {
    name: 'text like secrets',
    type: JSON_TYPE,
    body: (bytes) => `{"name":"${fill(bytes, 'api_key=eyJ-')}"}`,
  },
  { name: 'one endless line', type: JSON_TYPE, body: (bytes) => fill(bytes, 'x') },
  { name: 'many lines', type: JSON_TYPE, body: (bytes) => fill(bytes, 'x\n') },
];

/** Shapes of a request's head; the sizes are those of the table. */
export const headShapes: readonly { readonly name: string; readonly head: (bytes: number) => Request }[] = [
  {
    name: 'many headers',
    head: (bytes) => ({
      ...empty,
      headers: Object.fromEntries(numbered(bytes, (n) => `x-${String(n)}`).map((name) => [name, 'x'])),
    }),
  },
  { name: 'long query', head: (bytes) => ({ ...empty, query: `?${fill(bytes, 'a=1&')}` }) },
];

const empty: Request = { type: JSON_TYPE, body: '{}', query: '', headers: {} };

export const requestShapes: readonly {
  readonly name: string;
  readonly request: (bytes: number) => Request;
}[] = [
  ...bodyShapes.map(({ name, type, body }) => ({
    name,
    request: (bytes: number): Request => ({ ...empty, type, body: body(bytes) }),
  })),
  ...headShapes.map(({ name, head }) => ({ name, request: head })),
];

const operations = (text: string, more = ''): string =>
  `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{${text}}${more}}`;
const schemas = (text: string): string =>
  operations(
    '"/a":{"get":{"responses":{"204":{"description":"ok"}}}}',
    `,"components":{"schemas":{${text}}}`,
  );

export const documentShapes: readonly { readonly name: string; readonly body: (bytes: number) => string }[] =
  [
    {
      name: 'paths',
      body: (bytes) =>
        operations(
          numbered(bytes, (n) => `"/a${String(n)}":{"get":{"responses":{"204":{"description":"ok"}}}}`).join(
            ',',
          ),
        ),
    },
    {
      name: 'schemas',
      body: (bytes) => schemas(numbered(bytes, (n) => `"S${String(n)}":{"type":"string"}`).join(',')),
    },
    {
      name: 'deep schema',
      body: (bytes) => schemas(`"S":${fill(bytes / 2, '{"not":')}{}${'}'.repeat(bytes / 14)}`),
    },
    {
      name: 'costly patterns',
      body: (bytes) =>
        schemas(
          numbered(bytes, (n) => `"S${String(n)}":{"type":"string","pattern":"^(a+b${String(n)}?)+$"}`).join(
            ',',
          ),
        ),
    },
    {
      name: 'one long pattern',
      body: (bytes) => schemas(`"S":{"type":"string","pattern":"${fill(bytes, 'a*')}"}`),
    },
    {
      name: 'braces in a path',
      body: (bytes) => operations(`"/${fill(bytes, '{')}":{"get":{"responses":{}}}`),
    },
    { name: 'one endless line', body: (bytes) => fill(bytes, 'x') },
    { name: 'many lines', body: (bytes) => fill(bytes, 'x\n') },
  ];
