import type { Oracle } from '../../../oracle.ts';
import { answers } from './answers.ts';
import { documents } from './documents.ts';
import { keys } from './keys.ts';
import { modelRefusals } from './model-refusals.ts';
import { pages } from './pages.ts';
import { successes } from './successes.ts';

export const routerOracles: readonly Oracle[] = [answers, successes, modelRefusals, pages, keys, documents];
