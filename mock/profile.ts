/**
 * `faithful`: as documented. `legal-but-odd`: also as documented, but with every surprise that the contract
 * allows. `not-rolled-out`: authenticated callers find no router.
 */
export type Profile = 'faithful' | 'legal-but-odd' | 'not-rolled-out';
