import type { Oracle } from '../../../oracle.ts';
import { answers } from './answers.ts';
import { published } from './published.ts';
import { successes } from './successes.ts';

export const registryOracles: readonly Oracle[] = [answers, successes, published];
