import type { OwnContractName } from '../../contract/index.ts';
import { jobsModule } from './jobs/module.ts';
import type { ApiModule } from './module.ts';
import { registryModule } from './registry/module.ts';
import { routerModule } from './router/module.ts';

/** The built-in contracts, in the order in which they are served. */
export const modules: readonly ApiModule[] = [routerModule, registryModule, jobsModule];

/** An account has the same kind of key for all APIs, and only this contract defines the prefix of keys. */
export const ACCOUNTS: OwnContractName = 'router';
