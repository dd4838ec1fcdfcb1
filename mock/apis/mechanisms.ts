import type { JobMechanisms } from './jobs/mechanisms.ts';
import type { RegistryMechanisms } from './registry/mechanisms.ts';
import type { RouterMechanisms } from './router/mechanisms.ts';

/** What modules let deviations replace, by the names of the modules. */
export interface ModuleMechanisms {
  readonly jobs: JobMechanisms;
  readonly registry: RegistryMechanisms;
  readonly router: RouterMechanisms;
}
