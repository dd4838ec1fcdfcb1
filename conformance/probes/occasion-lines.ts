import type { Contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/model.ts';
import { policyFor } from '../../contract/index.ts';
import { OCCASIONS } from '../target/occasions.ts';
import type { Occasion } from '../target/occasions.ts';
import { occasionNeed } from './document/occasions.ts';
import { OwnApi, isRead } from './own-api.ts';
import { ownSuite } from './own-suite.ts';

/**
 * The lines of a fixtures file about occasions: for each operation those that let the suite judge more rules, with these. The
 * first operation has all occasions.
 */
export function occasionLines(contract: Contract): readonly string[] {
  const api = new OwnApi(contract);
  const opened = rulesByFixture(contract);
  const names = Object.keys(OCCASIONS) as Occasion[];
  const described = api.operations.map((operation) => {
    const known = names.map((name) => ({ name, rules: opened.get(occasionNeed(operation, name)) ?? [] }));
    const lines = (those: typeof known): readonly string[] =>
      those.map(({ name, rules }) => line(operation, name, rules));
    const useful = lines(known.filter(({ rules }) => rules.length > 0));
    return { operation, useful, others: lines(known.filter(({ rules }) => rules.length === 0)) };
  });
  const first = described.find(({ operation }) => !isRead(operation));
  if (first === undefined) return [];
  const rest = described.filter((one) => one !== first && one.useful.length > 0);
  return [
    '#  # a call has parameters, body and headers as needed, and may state expect: { status: 503 }; a list gives several calls',
    ...[{ ...first, useful: [...first.useful, ...first.others] }, ...rest].flatMap(
      ({ operation, useful }) => [`#  ${JSON.stringify(operation.id)}:`, ...useful],
    ),
  ];
}

// --- internal ---

/** The rules that scenarios judge, or judge by more, with a fixture. */
function rulesByFixture(contract: Contract): ReadonlyMap<string, readonly string[]> {
  const opened = new Map<string, readonly string[]>();
  for (const { needs, alsoTakes = [], judges } of ownSuite(contract).suite.scenarios)
    for (const fixture of [...needs, ...alsoTakes])
      opened.set(fixture, [...new Set([...(opened.get(fixture) ?? []), ...judges])]);
  return opened;
}

function line(operation: Operation, name: Occasion, rules: readonly string[]): string {
  const names = rules.slice(0, MOST_NAMED).join(', ');
  const more = rules.length > MOST_NAMED ? ` and ${rules.length - MOST_NAMED} more` : '';
  const why = rules.length === 0 ? '' : `; for ${names}${more}`;
  return `#    ${name}: ${callOf(operation, name)}  # ${OCCASIONS[name]}${why}`;
}

const MOST_NAMED = 2;

/** What such a call differs by: its body, or its parameters where it has none. */
function callOf(operation: Operation, name: Occasion): string {
  const wanted = operation.requestBody === undefined ? 'parameters: {}' : 'body: {}';
  const isHeld = name === 'slow' && policyFor(operation, 'deadline') !== undefined;
  const ends = name === 'ending' ? ', ends: "…"' : '';
  return `{ ${wanted}${isHeld ? ', minMs: 1000' : ''}${ends} }`;
}
