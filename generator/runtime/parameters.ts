/**
 * How one parameter is written, by the styles of OpenAPI. A generated operation names the function that it
 * needs.
 */

/**
 * @returns for `path` and `header` the text at its position, for `query` and `cookie` whole pairs without `?`
 */
export type ParameterStyle = (name: string, value: unknown, explode: boolean, encode: Encode) => string;

export type Encode = (text: string) => string;

/** `a`: paths and headers that are neither lists nor objects. */
export const singleText: ParameterStyle = (_name, value, _explode, encode) => encode(String(value));

/** `name=a`: queries and cookies that are neither lists nor objects. */
export const singlePair: ParameterStyle = (name, value, _explode, encode) =>
  `${encodeURIComponent(name)}=${encode(String(value))}`;

/** `a,b` and `k,v` or `k=v`: paths and headers. */
export const simple: ParameterStyle = (_name, value, explode, encode) =>
  flat(value, encode, explode ? '=' : ',').join(',');

/** `name=a&name=b`, `name=a,b`, `k=v&l=w`: queries. */
export const form: ParameterStyle = (name, value, explode, encode) =>
  paired(name, value, explode, encode, ',').join('&');

/** `name=a; name=b`, `name=a,b`, `k=v; l=w`: cookies. */
export const formCookie: ParameterStyle = (name, value, explode, encode) =>
  paired(name, value, explode, encode, ',').join('; ');

/**
 * `name=a; name=b`: cookies, in which nothing is encoded (OpenAPI 3.2).
 *
 * @throws {TypeError} when a text has characters that a cookie cannot have
 */
export const cookie: ParameterStyle = (name, value, explode, encode) =>
  paired(name, value, explode, encode, ',', encode).join('; ');

/** A text of a cookie as it is (RFC 6265, section 4.1.1). */
export const unencoded: Encode = (text) => {
  if (/^("?)[!#-+\--:<-[\]-~]*\1$/.test(text)) return text;
  throw new TypeError('a cookie has characters not allowed there: encode it as its server expects it');
};

/** `.a.b`: paths. */
export const label: ParameterStyle = (_name, value, explode, encode) =>
  flat(value, encode, explode ? '=' : ',')
    .map((text, index) => (explode || index === 0 ? '.' : ',') + text)
    .join('');

/** `;name=a;name=b`: paths. */
export const matrix: ParameterStyle = (name, value, explode, encode) =>
  prefixed(
    ';',
    paired(name, value, explode, encode, ',')
      // Without a value there is no `=` (RFC 6570, section 3.2.7).
      .map((pair) => pair.replace(/^([^=]*)=$/, '$1'))
      .join(';'),
  );

/** `name=a%20b`: queries. */
export const spaceDelimited: ParameterStyle = (name, value, explode, encode) =>
  paired(name, value, explode, encode, '%20').join('&');

/** `name=a%7Cb`: queries. */
export const pipeDelimited: ParameterStyle = (name, value, explode, encode) =>
  paired(name, value, explode, encode, '%7C').join('&');

/**
 * `name[k]=v`: queries. OpenAPI leaves all other values open: `name[k][l]=v` for objects inside objects, and `name[0]=v` for
 * a list. A list of texts inside an object repeats its name.
 */
export const deepObject: ParameterStyle = (name, value, _explode, encode) => {
  if (!isRecord(value)) return form(name, value, true, encode);
  return membersOf(value)
    .map(([key, member]) => {
      const inside = `${name}[${key}]`;
      const isList = Array.isArray(member) && !member.some(isRecord);
      return (isList ? form : deepObject)(inside, member, true, encode);
    })
    .filter((pair) => pair !== '')
    .join('&');
};

/** A parameter that the document describes by a JSON media type, in a query or cookie. */
export const jsonPair: ParameterStyle = (name, value, _explode, encode) =>
  `${encodeURIComponent(name)}=${encode(JSON.stringify(value))}`;

/** The same in a path or header. Headers are limited to ASCII; JSON has escapes for all other characters. */
export const jsonText: ParameterStyle = (_name, value, _explode, encode) =>
  encode(JSON.stringify(value)).replace(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A parameter that the document describes as `application/x-www-form-urlencoded`, in a query or cookie. */
export const formPair: ParameterStyle = (name, value, _explode, encode) =>
  `${encodeURIComponent(name)}=${encode(formOf(value))}`;

/** The same in a path or header. */
export const formText: ParameterStyle = (_name, value, _explode, encode) => encode(formOf(value));

/**
 * Percent-encoding that keeps the reserved characters of RFC 3986 and what is percent-encoded already, for parameters
 * with `allowReserved` (RFC 6570, section 3.2.3). Three of the characters would end the value in its query and are
 * encoded: `#`, `&` and `+`.
 */
export const keepReserved: Encode = (text) =>
  encodeURIComponent(text)
    .replace(/%(?:2[4CF]|3[ABDF]|40|5[BD])/g, decodeURIComponent)
    .replace(/%25(?=[\dA-F]{2})/gi, '%');

// --- internal ---

/** A form inside of one value; lists repeat their name. */
function formOf(value: unknown): string {
  if (!isRecord(value)) return String(value);
  const pairs = membersOf(value).flatMap(([name, items]) =>
    (Array.isArray(items) ? items : [items]).map((item: unknown): [string, string] => [
      name,
      isRecord(item) ? JSON.stringify(item) : String(item),
    ]),
  );
  return new URLSearchParams(pairs).toString();
}

function paired(
  name: string,
  value: unknown,
  explode: boolean,
  encode: Encode,
  separator: string,
  encodeName: Encode = encodeURIComponent,
): string[] {
  const key = `${encodeName(name)}=`;
  if (explode && isRecord(value)) {
    return Array.isArray(value)
      ? flat(value, encode, '').map((text) => key + text)
      : membersOf(value).flatMap(([member, items]) =>
          // OpenAPI leaves lists inside objects open. As in a form, the name is repeated.
          // `allowReserved` is about values: an equals sign in a name would end it.
          flat(Array.isArray(items) ? items : [items], encode, '').map(
            (text) => `${encodeName(member)}=${text}`,
          ),
        );
  }
  const texts = flat(value, encode, separator);
  return texts.length === 0 ? [] : [key + texts.join(separator)];
}

function flat(value: unknown, encode: Encode, between: string): string[] {
  if (!isRecord(value)) return [encode(String(value))];
  return membersOf(value).map(([key, member]) => {
    const text = encode(isRecord(member) ? JSON.stringify(member) : String(member));
    return Array.isArray(value) ? text : encode(key) + between + text;
  });
}

/** The value as in JSON, including dates; missing values are left out. */
function membersOf(value: object): [string, unknown][] {
  const plain = JSON.parse(JSON.stringify(value)) as object;
  return Object.entries(plain).filter(([, member]) => member !== null);
}

function prefixed(prefix: string, value: string): string {
  return value === '' ? '' : prefix + value;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
