import type { JobMechanisms } from './jobs/mechanisms.ts';
import type { RegistryMechanisms } from './registry/mechanisms.ts';
import type { RouterMechanisms } from './router/mechanisms.ts';

/** The mechanisms of modules that deviations can replace, by module. */
export interface ModuleMechanisms {
  readonly jobs: JobMechanisms;
  readonly registry: RegistryMechanisms;
  readonly router: RouterMechanisms;
}
