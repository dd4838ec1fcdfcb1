import { bystanders } from './bystanders.ts';
import { endings } from './endings.ts';
import { framing } from './framing.ts';
import type { Illness } from './illness.ts';

/** Every sick server, and the one that is well. */
export const illnesses: readonly Illness[] = [...endings, ...framing, ...bystanders];
