import type { JobsFixtures } from './jobs/fixtures.ts';
import type { RegistryFixtures } from './registry/fixtures.ts';
import type { RouterFixtures } from './router/fixtures.ts';

/** What the fixtures file tells of single APIs. */
export type ApiFixtures = RouterFixtures & RegistryFixtures & JobsFixtures;
