/** The collections of users' own contracts, in which the mock stores things. Secrets in them are masked, as in the journal. */
export interface CollectionList {
  readonly collections: readonly CollectionShape[];
}

export interface CollectionShape {
  readonly api: string;
  readonly collection: string;
  readonly size: number;
  /** Its newest things first; only the first 200 are shown. */
  readonly things: readonly ThingShape[];
}

export interface ThingShape {
  readonly id: string;
  /** The values of the other path parameters, for a collection below another one. */
  readonly within: Readonly<Record<string, string>>;
  readonly item: object;
}

/** Creates a thing, or replaces the one with the same id. */
export interface ThingToPut {
  readonly item: object;
  readonly within?: Readonly<Record<string, string>>;
}
