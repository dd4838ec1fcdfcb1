import {
  anyMayBeCostly,
  boundedPattern,
  mayBeCostly,
  TookTooLong,
  type Matcher,
} from '../../contract/index.ts';
import type { Contract } from '../../contract/model.ts';
import type { EngineFinding } from '../call/engine.ts';
import { ajvInstances, type PatternCompiler } from './patches.ts';

/**
 * From now on, patterns that the reading of a document did not find harmless are matched within bounds: a value that
 * matches slowly would otherwise block the whole server. Patterns that are valid without the flag `u` alone are read without
 * it: Prism would judge nothing of a request that has one. Does nothing, and loads nothing, while there are no such patterns.
 */
export function boundPatterns({ operations }: Pick<Contract, 'operations'>): void {
  const isLoose = operations.some(({ parameters }) =>
    parameters.some(({ schema }) => hasLoosePattern(schema)),
  );
  if (!anyMayBeCostly() && !isLoose) return;
  for (const { opts } of ajvInstances()) opts.code.regExp = compilePattern;
}

/** Judges one request or response by schemas. Where a pattern was too costly, that is the only finding. */
export function withinBounds(judge: () => readonly EngineFinding[]): readonly EngineFinding[] {
  tooCostly = undefined;
  const findings = judge();
  if (tooCostly === undefined) return findings;
  return [{ at: 'request', keyword: 'pattern', message: (tooCostly as TookTooLong).message }];
}

// --- internal ---

function hasLoosePattern(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? !isValid(value, 'u') : hasLoosePattern(value),
  );
}

function isValid(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source.length >= 0;
  } catch {
    return false;
  }
}

/** The first pattern that was too costly in this judgement: the others are not tried. */
let tooCostly: TookTooLong | undefined;

const compilePattern: PatternCompiler = Object.assign(
  (pattern: string, flags: string): Matcher => {
    const own = isValid(pattern, flags) ? flags : flags.replace('u', '');
    if (!mayBeCostly(pattern)) return new RegExp(pattern, own);
    const bounded = boundedPattern(pattern, own);
    return {
      toString: () => bounded.toString(),
      // Prism takes an exception of a validator for a verdict without findings, so that it is remembered here.
      test: (text) => {
        if (tooCostly !== undefined) throw tooCostly;
        try {
          return bounded.test(text);
        } catch (error) {
          if (error instanceof TookTooLong) tooCostly = error;
          throw error;
        }
      },
    };
  },
  { code: 'compilePattern' },
);
