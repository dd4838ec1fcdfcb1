import type { Placeholder } from './placeholders.ts';

/** What is known of the API whose messages are masked; see `secrecyOf`. */
export interface SecrecyFacts {
  /** The headers, query parameters and cookies that carry a credential, in lower case. */
  readonly names?: ReadonlySet<string>;
  /** Other names of secrets, also of members, in lower case. */
  readonly members?: ReadonlySet<string>;
  /** Values that are no secret under any name, because the document publishes them. */
  readonly publicValues?: ReadonlySet<string>;
  /** What replaces the value of a JSON member that is not a known secret; default `…`. */
  readonly unknown?: Placeholder;
}
