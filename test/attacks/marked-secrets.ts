/** A secret with a mark, and how it is sent or answered. No output may contain it. */
export interface Place {
  readonly name: string;
  readonly mark: string;
}

let count = 0;
/** Letters and digits only, so that most spellings are the mark itself. */
function mark(name: string): Place {
  count += 1;
  return { name, mark: `mark${String(count).padStart(2, '0')}x7Qk3fZ9pW5d` };
}

const of = {
  bearer: mark('a bearer token'),
  basic: mark('the password of Basic'),
  key: mark('X-API-Key'),
  own: mark('the header of a scheme'),
  cookie: mark('a cookie'),
  token: mark('X-Auth-Token'),
  who: mark('the query parameter of a scheme'),
  query: mark('api_key in a query'),
  long: mark('key in a query'),
  signed: mark('X-Amz-Signature'),
  nested: mark('an address in a query'),
  referer: mark('Referer'),
  user: mark('the user of an address'),
  member: mark('a member of JSON'),
  deep: mark('JSON in a string of JSON'),
  list: mark('a list in JSON'),
  form: mark('a form'),
  part: mark('multipart'),
  element: mark('XML'),
  line: mark('a line of text'),
  setCookie: mark('Set-Cookie'),
  answered: mark('X-Auth-Token of an answer'),
  authorization: mark('Authorization of an answer'),
  location: mark('Location'),
  login: mark('access_token of an answer'),
  azure: mark('sig in an answer'),
  database: mark('the password of an address in an answer'),
  page: mark('a form in a page'),
  log: mark('a header in the text of an answer'),
};

export const places: readonly Place[] = Object.values(of);
const { bearer, basic, key, own, cookie, token, who, query, long, signed, nested, referer, user } = of;

export const basicValue = Buffer.from(`user:${basic.mark}`).toString('base64');

/** Requests with a secret in every place of a request; the body decides the kind. */
export const requests: readonly {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}[] = [
  {
    target: `/things?who=${who.mark}&api%5Fkey=${query.mark}&key=${long.mark}&to=${encodeURIComponent(`https://x.example/?sig=${nested.mark}`)}`,
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${bearer.mark}`,
      'X-API-Key': key.mark,
      'X-Own': own.mark,
      Cookie: `theme=dark; sid=${cookie.mark}`,
      'X-Auth-Token': token.mark,
      Referer: `https://x.example/?token=${referer.mark}`,
    },
    body: JSON.stringify({
      title: 't',
      password: of.member.mark,
      log: JSON.stringify({ clientSecret: of.deep.mark }),
      passwords: [of.list.mark],
    }),
  },
  {
    target: `/things?X-Amz-Signature=${signed.mark}`,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${basicValue}`,
      Referer: `https://user:${user.mark}@x.example/`,
    },
    body: `title=t&password=${of.form.mark}`,
  },
  {
    target: '/things',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${of.part.mark}\r\n--b--\r\n`,
  },
  {
    target: '/things',
    headers: { 'Content-Type': 'application/xml' },
    body: `<a><password>${of.element.mark}</password></a>`,
  },
  { target: '/things', headers: { 'Content-Type': 'text/plain' }, body: `password: ${of.line.mark}\n` },
];

/** The headers of each answer of the server. */
export const answered: Readonly<Record<string, string>> = {
  'Set-Cookie': `sid=${of.setCookie.mark}; HttpOnly`,
  'X-Auth-Token': of.answered.mark,
  Authorization: `Bearer ${of.authorization.mark}`,
  Location: `/things?signature=${of.location.mark}`,
};

/** The body of an answer, which repeats what was sent. */
export function answerTo(sent: string): string {
  return JSON.stringify({
    title: 5,
    access_token: of.login.mark,
    at: `https://s.example/f?sv=1&sig=${of.azure.mark}`,
    database: `postgres://user:${of.database.mark}@db.example/x`,
    page: `<input name="x" value="y"><a href="/?password=${of.page.mark}">`,
    log: `GET / failed: X-API-Key: ${of.log.mark} was refused`,
    sent,
  });
}

/** The places whose secret is in a text, plainly or in Base64. */
export function leaksIn(text: string): readonly string[] {
  const bytes = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([run]) =>
    Buffer.from(run, 'base64').toString('latin1'),
  );
  const all = [text, ...bytes].join('\n');
  return places.filter((place) => all.includes(place.mark)).map(({ name }) => name);
}
