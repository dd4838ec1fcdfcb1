import type { Faker } from '@faker-js/faker';

type Maker = (faker: Faker) => string;

/** A realistic text in a format; `undefined` for an unknown format. Addresses do not exist. */
export function textOfFormat(format: string, name: string, faker: Faker): string | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]?.(faker, name) : undefined;
}

/**
 * A realistic text for a member with this name; `undefined` for an unknown name.
 *
 * @param owner the kind of the enclosing thing, such as `Pet`
 */
export function textOfName(name: string, owner: string, faker: Faker): string | undefined {
  const words = wordsOf(name);
  if (words === 'name' || words === 'display_name' || words === 'title') {
    const byOwner = OWNERS.find(([pattern]) => pattern.test(wordsOf(owner)));
    if (byOwner !== undefined) return byOwner[1](faker);
  }
  return NAMES.find(([pattern]) => pattern.test(words))?.[1](faker);
}

/** A time as text; an end is later than a beginning, and what has happened is in the past. */
export function momentOf(name: string, faker: Faker): Date {
  const words = wordsOf(name);
  const isLate =
    /(?:^|_)(?:ends?|until|updated|modified|changed|closed|finished|expires?|due|check_?out|to)/.test(words);
  const year =
    /(?:^|_)(?:creation|modification|(?!planned|scheduled|expected|estimated)[a-z]+ed|last)(?:_|$)/.test(
      words,
    )
      ? '2025'
      : '2026';
  const [from, to] = isLate ? [`${year}-07-01`, `${year}-12-31`] : [`${year}-01-01`, `${year}-06-30`];
  const moment = faker.date.between({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
  moment.setUTCMilliseconds(0);
  return moment;
}

/** `firstName` and `first-name` as `first_name`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

// --- internal ---

const slug: Maker = (faker) =>
  faker.helpers.slugify(`${faker.word.adjective()} ${faker.word.noun()}`).toLowerCase();
const address: Maker = (faker) => `https://example.com/${slug(faker)}`;
const email: Maker = (faker) => faker.internet.email({ provider: 'example.com' }).toLowerCase();
const phone: Maker = (faker) => `+1-202-555-01${faker.string.numeric(2)}`;
const fullName: Maker = (faker) => faker.person.fullName();
const sentence: Maker = (faker) => faker.commerce.productDescription();

const FORMATS: Readonly<Record<string, (faker: Faker, name: string) => string>> = {
  'date-time': (faker, name) => momentOf(name, faker).toISOString().replace('.000', ''),
  date: (faker, name) => momentOf(name, faker).toISOString().slice(0, 10),
  time: (faker, name) => momentOf(name, faker).toISOString().slice(11).replace('.000', ''),
  duration: (faker) => `PT${String(faker.number.int({ min: 5, max: 90 }))}M`,
  email,
  'idn-email': email,
  uuid: (faker) => faker.string.uuid(),
  uri: address,
  url: address,
  iri: address,
  'uri-reference': (faker) => `/${slug(faker)}`,
  'iri-reference': (faker) => `/${slug(faker)}`,
  'uri-template': (faker) => `/${slug(faker)}/{id}`,
  'json-pointer': (faker) => `/${faker.word.noun()}`,
  'relative-json-pointer': (faker) => `1/${faker.word.noun()}`,
  regex: (faker) => `^${faker.word.noun()}$`,
  hostname: (faker) => `${slug(faker)}.example.com`,
  'idn-hostname': (faker) => `${slug(faker)}.example.com`,
  ipv4: (faker) => `192.0.2.${String(faker.number.int({ min: 1, max: 254 }))}`,
  ipv6: (faker) => `2001:db8::${faker.number.hex({ min: 1, max: 65_535 })}`,
  byte: (faker) => Buffer.from(faker.word.words(2)).toString('base64'),
  password: (faker) => faker.string.alphanumeric(16),
  phone,
};

/** A name for a thing of this kind. */
const OWNERS: readonly (readonly [RegExp, Maker])[] = [
  [/pet|animal|dog|cat/, (faker) => faker.animal.petName()],
  [
    /user|person|customer|contact|author|employee|guest|member|patient|student|owner|account_holder|(?:^|_)agent|driver|teacher|doctor|nurse|technician|assignee/,
    fullName,
  ],
  [/compan|organi[sz]ation|vendor|supplier|brand|tenant|merchant/, (faker) => faker.company.name()],
  [/city|town/, (faker) => faker.location.city()],
  [/country/, (faker) => faker.location.country()],
  [/book/, (faker) => faker.book.title()],
  [/song|track|album/, (faker) => faker.music.songName()],
  [
    /room|hotel|venue|store|shop|branch|office/,
    (faker) =>
      `${faker.location.street()} ${faker.helpers.arrayElement(['House', 'Hall', 'Corner', 'Studio'])}`,
  ],
  [/file|document|attachment/, (faker) => faker.system.commonFileName()],
  [/tag|label|categor/, (faker) => faker.word.noun()],
  [/team|project|task|ticket|issue|note|event|campaign/, (faker) => faker.company.catchPhrase()],
];

const NAMES: readonly (readonly [RegExp, Maker])[] = [
  [/(?:^|_)(?:id|uuid|guid)$/, (faker) => faker.string.uuid()],
  [/(?:first|given)_?name$/, (faker) => faker.person.firstName()],
  [/(?:last|family|sur)_?name$/, (faker) => faker.person.lastName()],
  [/(?:user_?name|login|handle|nick_?name|screen_name)$/, (faker) => faker.internet.username().toLowerCase()],
  [/e_?mail(?:_address)?$/, email],
  [/phone|mobile|(?:^|_)tel$|fax/, phone],
  [/file_?name$/, (faker) => faker.system.commonFileName()],
  [/host_?name$|domain|(?:^|_)host$/, (faker) => `${slug(faker)}.example.com`],
  [/company|organi[sz]ation|employer|vendor|manufacturer|brand|publisher/, (faker) => faker.company.name()],
  [/job_title|position|occupation|profession/, (faker) => faker.person.jobTitle()],
  [
    /(?:^|_)(?:author|owner|customer|contact|guest|assignee|creator|sender|recipient|created_by|updated_by|full_name)(?:_name)?$/,
    fullName,
  ],
  [/country_?code$/, (faker) => faker.location.countryCode()],
  [/country/, (faker) => faker.location.country()],
  [/city|town/, (faker) => faker.location.city()],
  [/(?:^|_)(?:province|region|county)$/, (faker) => faker.location.state()],
  [/zip|post(?:al)?_?code/, (faker) => faker.location.zipCode('#####')],
  [/street|address(?:_line)?(?:_?\d)?$/, (faker) => faker.location.streetAddress()],
  [/time_?zone/, (faker) => faker.location.timeZone()],
  [/currency/, (faker) => faker.finance.currencyCode()],
  [/colou?r/, (faker) => faker.color.human()],
  [/locale|language/, (faker) => faker.helpers.arrayElement(['en-GB', 'en-US', 'de-DE', 'fr-FR'])],
  [
    /avatar|image|photo|picture|thumbnail|logo|icon/,
    (faker) => `https://example.com/images/${slug(faker)}.png`,
  ],
  [/(?:^|_)(?:url|uri|website|link|href|homepage|callback)$/, address],
  [/(?:^|_)ip(?:_address)?$/, (faker) => `192.0.2.${String(faker.number.int({ min: 1, max: 254 }))}`],
  [
    /mime_?type|content_?type|media_?type/,
    (faker) => faker.helpers.arrayElement(['application/pdf', 'image/png', 'text/plain']),
  ],
  [/version$/, (faker) => faker.system.semver()],
  [/slug$/, slug],
  [/isbn/, (faker) => faker.commerce.isbn()],
  [
    /(?:^|_)(?:created|updated|modified|deleted|started|finished|ended|expires?|published)(?:_(?:at|on|date|time))?$|_at$|timestamp/,
    (faker) => momentOf('at', faker).toISOString().replace('.000', ''),
  ],
  [/(?:^|_)(?:date|day|birthday)$|_date$|_on$/, (faker) => momentOf('on', faker).toISOString().slice(0, 10)],
  [
    /token|secret|password|api_?key|hash|checksum|signature|etag|digest/,
    (faker) => faker.string.alphanumeric(24),
  ],
  [
    /(?:^|_)(?:sku|code|reference|ref|number|serial)$/,
    (faker) => faker.string.alphanumeric({ length: 8, casing: 'upper' }),
  ],
  [/(?:^|_)(?:status|state)$/, () => 'active'],
  [/tag|label|keyword|category|genre|topic/, (faker) => faker.word.noun()],
  [/department/, (faker) => faker.commerce.department()],
  [/(?:^|_)(?:title|headline|subject|slogan)$/, (faker) => faker.company.catchPhrase()],
  [
    /description|summary|(?:^|_)(?:bio|about|comment|message|body|content|notes?|text|details|caption|reason)$/,
    sentence,
  ],
  [/(?:^|_)name$/, (faker) => faker.commerce.productName()],
];
