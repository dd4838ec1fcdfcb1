/** The JSON Schema type for a common name such as `int` or `String`; `undefined` for any other word. */
export function readType(word: string): Readonly<Record<string, string>> | undefined {
  return TYPES.get(word.trim().toLowerCase());
}

// --- internal ---

const TYPES = new Map<string, Readonly<Record<string, string>>>(
  Object.entries({
    string: { type: 'string' },
    str: { type: 'string' },
    text: { type: 'string' },
    integer: { type: 'integer' },
    int: { type: 'integer' },
    int32: { type: 'integer', format: 'int32' },
    int64: { type: 'integer', format: 'int64' },
    long: { type: 'integer', format: 'int64' },
    number: { type: 'number' },
    float: { type: 'number', format: 'float' },
    double: { type: 'number', format: 'double' },
    decimal: { type: 'number' },
    boolean: { type: 'boolean' },
    bool: { type: 'boolean' },
    object: { type: 'object' },
    dict: { type: 'object' },
    map: { type: 'object' },
    array: { type: 'array' },
    list: { type: 'array' },
    null: { type: 'null' },
    any: {},
    mixed: {},
    undefined: {},
    '': {},
    hash: { type: 'object' },
    struct: { type: 'object' },
    date: { type: 'string', format: 'date' },
    datetime: { type: 'string', format: 'date-time' },
    'date-time': { type: 'string', format: 'date-time' },
    uuid: { type: 'string', format: 'uuid' },
    file: { type: 'string', format: 'binary' },
    binary: { type: 'string', format: 'binary' },
  }),
);
