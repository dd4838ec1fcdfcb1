import { Script, createContext } from 'node:vm';

/**
 * A pattern of a schema that a server wrote. Some take longer for a text than anybody can wait: such a test is given up.
 *
 * @throws when a test takes longer than that
 */
export const boundedPattern = Object.assign(
  (pattern: string, flags: string): { readonly test: (text: string) => boolean } => {
    const regexp = new RegExp(pattern, flags);
    return {
      test: (text) =>
        script.runInContext(Object.assign(context, { regexp, text }), { timeout: LONGEST_MS }) as boolean,
    };
  },
  // What a validator that is written to a file would call it; none is.
  { code: 'boundedPattern' },
);

// --- internal ---

const LONGEST_MS = 100;

const context = createContext({ regexp: /^/, text: '' });
const script = new Script('regexp.test(text)');
