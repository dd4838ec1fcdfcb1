import type { Oracle } from '../../../oracle.ts';
import { answers } from './answers.ts';
import { extraData } from './extra-data.ts';
import { life } from './life.ts';
import { links } from './links.ts';
import { snapshots } from './snapshots.ts';
import { streams } from './streams.ts';
import { successes } from './successes.ts';

export const jobsOracles: readonly Oracle[] = [
  answers,
  successes,
  streams,
  life,
  snapshots,
  links,
  extraData,
];
