import { runBounded, TookTooLong } from './bounded-run.ts';

/** The interface of a regular expression that validators use. */
export interface Matcher {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/**
 * A regular expression from an untrusted schema. Some expressions take practically forever on a short text,
 * so every test has a time limit.
 *
 * @throws {SyntaxError} when the pattern is not valid
 * @throws {TookTooLong} from `test`, when the text needs more than 100 ms
 */
export function boundedPattern(pattern: string, flags: string): Matcher {
  const regexp = new RegExp(pattern, flags);
  return {
    test: (text) => {
      try {
        return runBounded(() => regexp.test(text), LONGEST_MS);
      } catch (error) {
        if (!(error instanceof TookTooLong)) throw error;
        const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
        throw new TookTooLong(`the pattern ${shown} is too costly to check for this value`, { cause: error });
      }
    },
    // ajv identifies patterns by their text.
    toString: () => regexp.toString(),
  };
}

// --- internal ---

const LONGEST_MS = 100;
