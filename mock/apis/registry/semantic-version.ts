/** A parsed version, by the grammar of Semantic Versioning 2.0.0. */
export interface SemanticVersion {
  /** Major, minor, patch: as text, because they are unbounded. */
  readonly core: readonly [string, string, string];
  readonly preRelease: readonly string[];
  readonly build: readonly string[];
}

/** Parses a version; `undefined` for anything else, including one with a `v` or spaces around it. */
export function readVersion(text: string): SemanticVersion | undefined {
  if (text.length > LONGEST) return undefined;
  const [, major, minor, patch, preRelease, build] = GRAMMAR.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return {
    core: [major, minor, patch],
    preRelease: preRelease?.split('.') ?? [],
    build: build?.split('.') ?? [],
  };
}

/** Negative if the first one precedes the second, 0 if neither does. Build metadata is ignored. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  const core = firstDifference(one.core.map((part, i) => byNumber(part, other.core[i] ?? '')));
  if (core !== 0) return core;
  const [a, b] = [one.preRelease, other.preRelease];
  // A release follows all its pre-releases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  const common = a.slice(0, b.length).map((part, i) => byIdentifier(part, b[i] ?? ''));
  return firstDifference(common) || a.length - b.length;
}

// --- internal ---

/** No real version is longer; npm's own limit is the same. */
const LONGEST = 256;

const NUMBER = '0|[1-9]\\d*';
const PRE_RELEASE = `(?:${NUMBER}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const BUILD = '[\\dA-Za-z-]+';
const GRAMMAR = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})` +
    `(?:-(${PRE_RELEASE}(?:\\.${PRE_RELEASE})*))?(?:\\+(${BUILD}(?:\\.${BUILD})*))?$`,
);

function firstDifference(differences: readonly number[]): number {
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** Numbers without leading zeros: the longer one is greater. */
function byNumber(one: string, other: string): number {
  return one.length - other.length || byText(one, other);
}

function byIdentifier(one: string, other: string): number {
  const [isNumber, otherIsNumber] = [one, other].map((text) => /^\d+$/.test(text));
  if (isNumber !== otherIsNumber) return isNumber === true ? -1 : 1;
  return isNumber === true ? byNumber(one, other) : byText(one, other);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
