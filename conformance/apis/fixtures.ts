import type { JobsFixtures } from './jobs/fixtures.ts';
import type { RegistryFixtures } from './registry/fixtures.ts';
import type { RouterFixtures } from './router/fixtures.ts';

/** The parts of the fixtures file that belong to one API. */
export type ApiFixtures = RouterFixtures & RegistryFixtures & JobsFixtures;
