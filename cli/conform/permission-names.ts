/** Repeated from the suite, so that the help does not have to load it; a test compares the two lists. */
export const permissionNames = ['negatives', 'writes', 'billed', 'publish', 'jobs', 'slow', 'long'] as const;
export type PermissionName = (typeof permissionNames)[number];
