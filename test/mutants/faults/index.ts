/** Lists of faults. Each was written from a contract document alone; random ones are in `../mutations.ts`. */
import { closerJobFaults } from './closer-jobs.ts';
import { closerRegistryFaults } from './closer-registry.ts';
import { closerRouterFaults } from './closer-router.ts';
import { earlierJobFaults } from './earlier-jobs.ts';
import { earlierRegistryFaults } from './earlier-registry.ts';
import { earlierRouterFaults } from './earlier-router.ts';
import type { Fault } from './fault.ts';
import { followingJobFaults } from './following-jobs.ts';
import { followingRegistryFaults } from './following-registry.ts';
import { followingRouterFaults } from './following-router.ts';
import { furtherJobFaults } from './further-jobs.ts';
import { furtherRegistryFaults } from './further-registry.ts';
import { furtherRouterFaults } from './further-router.ts';
import { jobFaults } from './jobs.ts';
import { latestJobFaults } from './latest-jobs.ts';
import { latestRegistryFaults } from './latest-registry.ts';
import { latestRouterFaults } from './latest-router.ts';
import { latestStreamFaults } from './latest-streams.ts';
import { laterFaults } from './later.ts';
import { registryFaults } from './registry.ts';
import { routerFaults } from './router.ts';

export const lists: Readonly<
  Record<'earlier' | 'blind' | 'further' | 'closer' | 'following' | 'latest' | 'later', readonly Fault[]>
> = {
  earlier: [...earlierRouterFaults, ...earlierRegistryFaults, ...earlierJobFaults],
  blind: [...routerFaults, ...registryFaults, ...jobFaults],
  further: [...furtherRouterFaults, ...furtherRegistryFaults, ...furtherJobFaults],
  closer: [...closerRouterFaults, ...closerRegistryFaults, ...closerJobFaults],
  following: [...followingRouterFaults, ...followingRegistryFaults, ...followingJobFaults],
  latest: [...latestRouterFaults, ...latestRegistryFaults, ...latestJobFaults, ...latestStreamFaults],
  later: laterFaults,
};

export const faults: readonly Fault[] = Object.values(lists).flat();
