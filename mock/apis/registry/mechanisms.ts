import { identified } from './credentials.ts';
import { misfitMembers } from './enhance.ts';
import { entered } from './publish.ts';
import { isTaken, misfitsOf, publishChecks, requiredOf, userOfCall, versionRead } from './publish-checks.ts';

/** The parts that a deviation can replace: each check of a publication, and what the checks use. */
export const registryMechanisms = {
  ...publishChecks,
  ...{ identified, misfitMembers, entered, isTaken, misfitsOf, requiredOf, userOfCall, versionRead },
};

export type RegistryMechanisms = Readonly<typeof registryMechanisms>;
