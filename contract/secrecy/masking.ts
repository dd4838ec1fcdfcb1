import { edited, type Cut, type Edit } from './edits.ts';
import { schemeValues, usersOfAddresses, webTokens } from './formed-secrets.ts';
import { secretMembers } from './json-members.ts';
import {
  ESCAPE,
  LONGEST_ESCAPE,
  SHORTEST_STUMP,
  escapedSecrets,
  plainSecrets,
  spellings,
  stumps,
  type Known,
} from './known-secrets.ts';
import { isAddressOrForm, secretElements, secretLines, secretPairs, secretParts } from './named-values.ts';
import { HIDDEN, type Placeholder } from './placeholders.ts';
import { namesOf } from './secret-names.ts';
import type { SecrecyFacts } from './facts.ts';

/** A secret of the run and the name that replaces it in everything that is stored. */
export interface Mask {
  readonly secret: string;
  readonly placeholder: Placeholder | typeof HIDDEN;
  /** Set if it is masked only as the value of this request header. */
  readonly header?: string;
}

/** Removes secrets from texts, in linear time. What is masked once is not changed again. */
export interface Masker {
  /**
   * @param keep how many characters are kept: a secret that crosses this end is masked as a whole
   * @param isBeginning whether `text` is the beginning of a longer one, so that it may end within a secret
   */
  (text: string, keep?: number, isBeginning?: boolean): string;
  /** How many characters after the kept ones have to be examined, to find a secret that crosses the end. */
  readonly margin: number;
  readonly facts: SecrecyFacts;
}

/**
 * Masks the declared secrets in all possible spellings, even if the text was cut inside one, and values that are
 * secrets by their name or their form although they were not declared.
 */
export function masker(masks: readonly Mask[], facts: SecrecyFacts = NOTHING): Masker {
  const before = maskers.get(masks);
  // A list can grow while it is used, and lose its first entries.
  if (before?.count === masks.length && before.last === masks.at(-1) && before.masker.facts === facts)
    return before.masker;
  const made = makeMasker(masks, facts);
  maskers.set(masks, { count: masks.length, last: masks.at(-1), masker: made });
  return made;
}

/** Shorter texts are not treated as secrets, because masking them everywhere would mask much else. */
export const SHORTEST_SECRET = 4;

// --- internal ---

const NOTHING: SecrecyFacts = {};

/** One for each list: it would otherwise be made again for each exchange. */
const maskers = new WeakMap<
  readonly Mask[],
  { readonly count: number; readonly last: Mask | undefined; readonly masker: Masker }
>();

function makeMasker(masks: readonly Mask[], facts: SecrecyFacts): Masker {
  const known = masks.filter(
    ({ secret, header }) => header === undefined && secret.length >= SHORTEST_SECRET,
  );
  const spelled = known
    .flatMap((mask) => [...new Set(spellings(mask.secret))].map((secret): Known => ({ ...mask, secret })))
    .sort((a, b) => b.secret.length - a.secret.length);
  const margin = Math.max(MARGIN, LONGEST_ESCAPE * (spelled[0]?.secret.length ?? 0));
  const hidden = (text: string, keep: number, isBeginning: boolean, nesting = 0): string => {
    let cut: Cut = { text, keep };
    const apply = (edits: Iterable<Edit>): void => {
      cut = edited(cut, edits);
    };
    if (known.length > 0 && ESCAPE.test(text)) apply(escapedSecrets(text, known));
    for (const mask of spelled) if (cut.text.includes(mask.secret)) apply(plainSecrets(cut.text, mask));
    if (isBeginning || text.includes(HIDDEN))
      for (const mask of spelled)
        if (cut.text.includes(mask.secret.slice(0, SHORTEST_STUMP)))
          apply(stumps(cut.text, mask, isBeginning));
    const within = (inner: string): string =>
      nesting < DEEPEST ? hidden(inner, inner.length, false, nesting + 1) : inner;
    for (const edits of unknownSecrets(cut.text, facts, within)) apply(edits(cut.text, isBeginning));
    return cut.text.slice(0, cut.keep);
  };
  // Names and values of headers are nearly the same in each exchange.
  const repeated = new Map<string, string>();
  const hide = (text: string, keep = text.length, isBeginning = false): string => {
    if (isBeginning || keep < text.length || text.length > LONGEST_REPEATED)
      return hidden(text, keep, isBeginning);
    const before = repeated.get(text);
    if (before !== undefined) return before;
    const made = hidden(text, keep, false);
    if (repeated.size >= MOST_REPEATED) repeated.clear();
    repeated.set(text, made);
    return made;
  };
  return Object.assign(hide, { margin, facts });
}

type FindSecrets = (text: string, isBeginning: boolean) => Iterable<Edit>;

/** The ways to find a secret that was not declared, as far as a text can contain such a one. */
function unknownSecrets(
  text: string,
  facts: SecrecyFacts,
  within: (text: string) => string,
): readonly FindSecrets[] {
  const { inPlace, ofMember } = namesOf(facts);
  const isWhole = isAddressOrForm(text);
  const { publicValues, unknown } = facts;
  const replacement = (name: string): string =>
    name === 'personal_access_token' ? HIDDEN : (unknown ?? HIDDEN);
  const unlessPublic =
    (find: FindSecrets): FindSecrets =>
    (inner, isBeginning) =>
      publicValues === undefined
        ? find(inner, isBeginning)
        : withoutPublic(inner, find(inner, isBeginning), publicValues);
  return [
    ...(text.includes(':')
      ? [
          unlessPublic((inner) => secretMembers(inner, ofMember, replacement)),
          ...(isWhole ? [] : [unlessPublic((inner) => secretLines(inner, inPlace))]),
          usersOfAddresses,
        ]
      : []),
    ...(text.includes('form-data') ? [unlessPublic((inner) => secretParts(inner, inPlace))] : []),
    ...(text.includes('<') ? [unlessPublic((inner) => secretElements(inner, ofMember))] : []),
    ...(text.includes('=') ? [unlessPublic((inner) => secretPairs(inner, inPlace, isWhole, within))] : []),
    schemeValues,
    webTokens,
  ];
}

function* withoutPublic(
  text: string,
  edits: Iterable<Edit>,
  publicValues: ReadonlySet<string>,
): Generator<Edit> {
  for (const edit of edits) if (!publicValues.has(text.slice(edit.start, edit.end))) yield edit;
}

/** For secrets that are recognised by their form, how many characters after the end have to be examined. */
const MARGIN = 256;

/** Characters of a text that is remembered with its masked form, and how many texts are. */
const LONGEST_REPEATED = 100;
const MOST_REPEATED = 1_000;

/** Addresses within addresses. */
const DEEPEST = 2;
