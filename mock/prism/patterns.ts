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
 * Enables time limits for patterns that were not proven harmless when their document was read: a slow match
 * would otherwise block the whole server. Patterns that are only valid without the flag `u` are compiled
 * without it; Prism would otherwise not validate such a request at all. Without such patterns, this does
 * nothing and loads nothing.
 */
export function boundPatterns({ operations }: Pick<Contract, 'operations'>): void {
  const isLoose = operations.some(({ parameters }) =>
    parameters.some(({ schema }) => hasLoosePattern(schema)),
  );
  if (!anyMayBeCostly() && !isLoose) return;
  for (const { opts } of ajvInstances()) opts.code.regExp = compilePattern;
}

/** Validates one request or response by schemas. If a pattern took too long, that is the only finding. */
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

/** The first pattern that took too long in this validation; the others are not tried. */
let tooCostly: TookTooLong | undefined;

const compilePattern: PatternCompiler = Object.assign(
  (pattern: string, flags: string): Matcher => {
    const own = isValid(pattern, flags) ? flags : flags.replace('u', '');
    if (!mayBeCostly(pattern)) return new RegExp(pattern, own);
    const bounded = boundedPattern(pattern, own);
    return {
      toString: () => bounded.toString(),
      // Prism treats an exception of a validator as a verdict without findings, so it is remembered here.
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
