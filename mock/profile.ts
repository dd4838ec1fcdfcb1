/**
 * `faithful`: as documented. `legal-but-odd`: as documented too, but with every surprise that the contract allows.
 * `not-rolled-out`: an authenticated caller finds no router.
 */
export type Profile = 'faithful' | 'legal-but-odd' | 'not-rolled-out';
