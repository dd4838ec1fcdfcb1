import type { Rule } from '../model.ts';

/**
 * The cases that a rule can be about: those of the usual rules of its policy, the likeliest first.
 *
 * @param usual the usual rules of the contract, as if its sheet had no rules
 * @returns `proposed` only if a word of the rule speaks for it
 */
export function likelyCases(
  rule: Pick<Rule, 'id' | 'says' | 'policy' | 'operation'>,
  usual: readonly Rule[],
): { readonly proposed: string | undefined; readonly cases: readonly string[] } {
  const words = new Map<string, Set<string>>();
  for (const { policy, operation, case: named, says } of usual) {
    const isElsewhere =
      rule.operation !== undefined && operation !== undefined && rule.operation !== operation;
    if (policy !== rule.policy || isElsewhere) continue;
    for (const name of [named ?? []].flat())
      words.set(name, new Set([...(words.get(name) ?? []), ...stemsOf(`${name} ${says}`)]));
  }
  const own = stemsOf(`${rule.id.split('.').slice(1).join(' ')} ${rule.says}`);
  const ranked = [...words]
    .map(([name, stems]) => {
      const named = stemsOf(name);
      const score = own
        .filter((stem) => stems.has(stem))
        // A word counts by how few cases have it, and more if it names the case.
        .map(
          (stem) =>
            (named.includes(stem) ? 3 : 1) / [...words.values()].filter((each) => each.has(stem)).length,
        )
        .reduce((sum, weight) => sum + weight, 0);
      return { name, score };
    })
    .sort((a, b) => b.score - a.score);
  const [first] = ranked;
  return {
    proposed: first !== undefined && first.score > 0 ? first.name : undefined,
    cases: ranked.map(({ name }) => name),
  };
}

/** The line that names the case, and the others to choose from. */
export function namedCaseHelp({ proposed, cases }: ReturnType<typeof likelyCases>): string {
  const others = cases.filter((name) => name !== proposed).join(', ');
  if (proposed === undefined) return `name its case: ${others}`;
  return `add the line \`case: ${proposed}\`${others === '' ? '' : `, or another case: ${others}`}`;
}

// --- internal ---

/** The beginnings of the words of a text, each once: forms of one word have the same. */
function stemsOf(text: string): readonly string[] {
  const words =
    text
      .slice(0, LONGEST)
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? [];
  return [...new Set(words.map((word) => word.slice(0, STEM)))];
}

const STEM = 4;
const LONGEST = 2000;
