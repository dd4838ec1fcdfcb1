/**
 * What a deviation can switch in the behaviours of the registry and of the partner route. `openToAll` and `claimRace` of
 * the other switches work here too. What only changes an answer is a transformer (`onReply`).
 */
export interface RegistrySwitches {
  /** Members of the publication that may be missing (publish checks). */
  readonly membersOptional?: readonly string[];
  /** Members of any type are taken (publish checks). */
  readonly typesUnchecked?: boolean;
  /** `any`: every text is a version; `plain`: only three numbers are (publish checks). */
  readonly versionForm?: 'any' | 'plain';
  /** `none`: a version can be entered again; `everywhere`: no other node may have it either (publish checks). */
  readonly uniqueness?: 'none' | 'everywhere';
  /** A version is taken from the moment that somebody asks for it, also where the publication is refused. */
  readonly refusedTaken?: boolean;
  /** Everybody may publish for every publisher (publish checks). */
  readonly publishersOpen?: boolean;
  /** Takes any access token (publish checks). */
  readonly tokenUnchecked?: boolean;

  /** Members whose range is not looked at (skin enhancement). */
  readonly rangesUnchecked?: readonly string[];
}
