import { digest, Refusal, type Thing } from '../wire.ts';

export interface Variant {
  readonly name: string;
  readonly value: boolean | string | number;
}

export interface Rule {
  readonly variant: string;
  readonly conditions: readonly {
    readonly attribute: string;
    readonly operator: 'in' | 'not_in';
    readonly values: readonly string[];
  }[];
}

/** What a team sets of a flag. */
export interface Settings {
  readonly type: 'boolean' | 'text' | 'number';
  readonly name: string;
  readonly description?: string | null;
  readonly enabled: boolean;
  readonly rollout: number;
  readonly variants: readonly Variant[];
  readonly rules: readonly Rule[];
  readonly labels: Readonly<Record<string, string>>;
}

export interface Entry {
  readonly id: string;
  readonly action: string;
  readonly by: string;
  readonly at: string;
  readonly version: number;
}

export interface Flag {
  readonly key: string;
  /** Never the same for two flags, also of one key. */
  readonly serial: number;
  settings: Settings;
  version: number;
  tag: string;
  readonly createdAt: string;
  updatedAt: string;
  archivedAt: string | undefined;
  readonly audit: Entry[];
}

export const defaults = { enabled: false, rollout: 100, rules: [], labels: {} };

export const tagOf = (flag: Pick<Flag, 'serial' | 'version'>): string =>
  `"${digest(`${flag.serial} ${flag.version}`)}"`;

export function viewOf(flag: Flag): Thing {
  return {
    key: flag.key,
    ...flag.settings,
    state: flag.archivedAt === undefined ? 'active' : 'archived',
    version: flag.version,
    created_at: flag.createdAt,
    updated_at: flag.updatedAt,
    ...(flag.archivedAt === undefined ? {} : { archived_at: flag.archivedAt }),
  };
}

/** Refuses what the document's structure cannot say. */
export function checkSettings({ type, variants, rules, rollout }: Settings): void {
  if (Math.abs(Math.round(rollout * 10) - rollout * 10) > 1e-6)
    throw new Refusal(400, 'invalid', 'The rollout has one decimal.');
  const wanted = type === 'text' ? 'string' : type;
  if (variants.some(({ value }) => typeof value !== wanted)) throw new Refusal(422, 'value_type');
  const names = variants.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Refusal(422, 'name_twice');
  if (rules.some(({ variant }) => !names.includes(variant))) throw new Refusal(422, 'unknown_variant');
}

/** A merge patch of RFC 7396. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isThing(patch)) return patch;
  const members = new Map(isThing(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, merged(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** Which variant a subject gets. */
export function evaluated(
  flag: Flag,
  scope: string,
  subject: string,
  attributes: Readonly<Record<string, string>>,
  has: (fault: string) => boolean,
): Thing {
  const { settings, archivedAt } = flag;
  const [first, ...others] = settings.variants;
  const gets = (variant: Variant | undefined, reason: string, more: Thing = {}): Thing => ({
    variant: variant?.name,
    value: variant?.value,
    reason,
    ...more,
  });
  if (archivedAt !== undefined) return gets(first, 'archived');
  if (!settings.enabled) return gets(first, 'off');
  const matches = (rule: Rule): boolean => holds(rule, new Map(Object.entries(attributes)));
  const at = has('last-rule-wins')
    ? settings.rules.findLastIndex(matches)
    : settings.rules.findIndex(matches);
  const rule = settings.rules[at];
  if (rule !== undefined) {
    const variant = settings.variants.find(({ name }) => name === rule.variant);
    return gets(variant, 'rule', has('first-rule-unnamed') && at === 0 ? {} : { rule: at });
  }
  const place = `${scope} ${flag.key} ${subject}`;
  const isInside = has('full-rollout-leaves-some')
    ? numberOf(`rollout ${place}`) % 128 < settings.rollout
    : numberOf(`rollout ${place}`) % 1000 < Math.round(settings.rollout * 10);
  if (!isInside) return gets(first, 'outside');
  const salt = has('share-moves-with-version') ? String(flag.version) : '';
  return gets(others[numberOf(`share ${place}${salt}`) % others.length], 'share');
}

// --- internal ---

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numberOf = (text: string): number => Number.parseInt(digest(text), 16);

function holds({ conditions }: Rule, attributes: ReadonlyMap<string, string>): boolean {
  return conditions.every(({ attribute, operator, values }) => {
    const value = attributes.get(attribute);
    const isIn = value !== undefined && values.includes(value);
    return operator === 'in' ? isIn : !isIn;
  });
}
