/** Headers that nobody was given as a credential, in the forms of one. */
export const UNUSABLE: readonly (readonly [string, string])[] = [
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer tallystick.no.token'],
  ['Authorization', 'Bearer service-tallystick-no-such-key'],
  ['Authorization', 'Basic dGFsbHlzdGljazpub2JvZHk='],
  ['X-API-Key', 'service-tallystick-no-such-key'],
];
