import type { Oracle } from '../../../oracle.ts';
import { accepted } from './accepted.ts';
import { answers } from './answers.ts';
import { published } from './published.ts';
import { successes } from './successes.ts';

export const registryOracles: readonly Oracle[] = [accepted, answers, successes, published];
