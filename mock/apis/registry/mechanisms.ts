import { identified } from './credentials.ts';
import { misfitMembers } from './enhance.ts';
import { entered } from './publish.ts';
import { isTaken, misfitsOf, publishChecks, requiredOf, userOfCall, versionRead } from './publish-checks.ts';

/** What a deviation can put something else in the place of: each check of a publication, and what checks ask. */
export const registryMechanisms = {
  ...publishChecks,
  ...{ identified, misfitMembers, entered, isTaken, misfitsOf, requiredOf, userOfCall, versionRead },
};

export type RegistryMechanisms = Readonly<typeof registryMechanisms>;
