/** What a deviation can switch in the behaviours of the router. Some of it works in the other modules too. */
export interface RouterSwitches {
  /** Who need not present a credential (credentials). */
  readonly openToAll?: boolean;
  /** Looks up the model before the credential, so that an unknown model is told to everybody (credentials). */
  readonly lookupBeforeCredentials?: boolean;

  /** A page size in place of the documented default (list). */
  readonly defaultLimit?: number;
  /** Serves this many entries whatever limit is echoed (list). */
  readonly servedEntries?: number;
  /** Takes no notice of the cursor: every page is the first one (list). */
  readonly cursorIgnored?: boolean;
  /** What a bad cursor of these kinds gets instead of the refusal; `all` for each of them (list). */
  readonly badCursor?: {
    readonly kinds: readonly BadCursorKind[] | 'all';
    readonly answers: 'first-page' | 'internal-error';
  };
  /** Pages that show unreleased models like any other (list). */
  readonly unreleasedListed?: boolean;
  /** After the last entry empty pages follow without end (list). */
  readonly endlessEmptyPages?: boolean;

  /** How many models the refusal of an unknown one suggests at most (model lookup). */
  readonly maximumSuggestions?: number;
  /** Suggests unreleased models too (model lookup). */
  readonly unreleasedSuggested?: boolean;

  /** A run without a body, or with one that is no object, is not refused (request checks). */
  readonly bodyUnchecked?: boolean;
  /** The schema of the model is not enforced (request checks). */
  readonly schemaUnchecked?: boolean;
  /** Members that the schema does not name are refused (request checks). */
  readonly unknownMembersRefused?: boolean;
  /** Refuses input that the schema allows, unless it has this many members (request checks). */
  readonly minimumMembers?: number;

  /** No key is ever looked at (idempotency). */
  readonly keysIgnored?: boolean;
  /** Time passes between looking a key up and claiming it (idempotency). */
  readonly claimRace?: boolean;
  /** How long a record lives, as an ISO 8601 duration (idempotency). */
  readonly recordWindow?: string;

  /** A policy refusal is not repeated: the second call succeeds (run). */
  readonly policyRefusedOnce?: boolean;

  /** How `If-None-Match` is read (schema document). */
  readonly ifNoneMatch?: 'ignored' | 'strong' | 'whole-string' | 'no-star' | 'always-matches';
}

export type BadCursorKind = 'empty' | 'malformed' | 'overlong' | 'forged' | 'expired';
