import { DFA, JS, NFA } from 'refa';

/** A pattern as an automaton over ASCII, in the form that `automaton` of the runtime takes. */
export interface AutomatonParts {
  /** The accepting states: a bit for each, with the value 2 for state 1. */
  readonly ends: number;
  /**
   * Alternately: characters, as pairs of the first and the last one of a range, and the next states from each
   * state.
   */
  readonly moves: readonly string[];
}

/**
 * The automaton of a pattern that is anchored at both ends; `undefined` if there is none, or if it is large.
 */
export function automatonOf(source: string, flags: 'u' | ''): AutomatonParts | undefined {
  if (!source.startsWith('^') || !source.endsWith('$') || source.length > LONGEST) return undefined;
  try {
    return partsOf(automatonFrom(source, flags));
  } catch {
    // Assertions and back references have no automaton; other patterns need too many states.
    return undefined;
  }
}

/**
 * A function that returns whether a text matches. Each pattern gets its own function, because engines run
 * that much faster than one for all patterns. The loop has no exit: whether there was a character outside
 * ASCII is asked after it.
 *
 * @param expression the name of the regular expression for long texts and for characters outside ASCII
 * @param table the name of the automaton's table
 */
export function walkText(name: string, expression: string, table: string, ends: number): string {
  return `function ${name}(text: string): boolean {
  if (text.length > ${LONGEST_WALK}) return ${expression}.test(text);
  let state = 1;
  let all = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    all |= character;
    state = ${table}[(state << 7) | (character & ${ASCII})] as number;
  }
  return all > ${ASCII} ? ${expression}.test(text) : ((${ends} >>> state) & 1) === 1;
}`;
}

// --- internal ---

/** A regular expression is faster for longer texts: calling one takes as long as such a walk. */
const LONGEST_WALK = 14;

const LONGEST = 200;
const MOST_STATES = 16;
const MOST_MOVES = 12;
/** The limit while the automaton is built: the result can be small although intermediate steps are larger. */
const MOST_NODES = 1_000;
const ASCII = 127;

function automatonFrom(source: string, flags: string): DFA {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({
    maxNodes: MOST_NODES,
  });
  const [only, ...others] = expression.alternatives;
  if (only?.elements.at(-1)?.type !== 'Assertion' || others.length > 0)
    throw new Error('not anchored at both ends');
  const nfa = NFA.fromRegex(
    { type: 'Concatenation', elements: only.elements.slice(1, -1) },
    { maxCharacter },
    {},
    new NFA.LimitedNodeFactory(MOST_NODES),
  );
  const automaton = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(MOST_NODES));
  automaton.minimize();
  return automaton;
}

function partsOf(automaton: DFA): AutomatonParts | undefined {
  const nodes = [automaton.initial, ...[...automaton.nodes()].filter((node) => node !== automaton.initial)];
  if (nodes.length > MOST_STATES) return undefined;
  const digits = new Map(nodes.map((node, index) => [node, (index + 1).toString(36)]));
  const byMove = new Map<string, number[]>();
  for (let character = 0; character <= ASCII; character += 1) {
    const move = nodes.map((node) => digits.get(node.out.get(character) as DFA.Node) ?? '0').join('');
    if (/[^0]/.test(move)) byMove.set(move, [...(byMove.get(move) ?? []), character]);
  }
  if (byMove.size > MOST_MOVES) return undefined;
  return {
    ends: nodes.reduce(
      (bits, node, index) => (automaton.finals.has(node) ? bits + 2 ** (index + 1) : bits),
      0,
    ),
    moves: [...byMove].flatMap(([move, characters]) => [rangesOf(characters), move]),
  };
}

/** @param characters sorted */
function rangesOf(characters: readonly number[]): string {
  const starts = characters.filter((character) => !characters.includes(character - 1));
  const ends = characters.filter((character) => !characters.includes(character + 1));
  return starts.map((start, index) => String.fromCharCode(start, ends[index] ?? start)).join('');
}
