/** A value in a request body that names a thing, and the operation that makes such a thing. */
export interface NamedInBody {
  readonly path: readonly string[];
  readonly maker: string;
}

/**
 * What a call of an operation does, by document and sheet.
 *
 * `reads`: it changes nothing. `creates`: it makes a thing that can be told apart. `changes`: what it changes is named in
 * the request; `names` are the things in its body that the run makes for it. `unclear`: it may change what the run did not
 * make, and `why` says what shows that.
 */
export type CallEffect =
  | { readonly kind: 'reads' }
  | { readonly kind: 'creates' | 'changes'; readonly names?: readonly NamedInBody[] }
  | { readonly kind: 'unclear'; readonly why: string };
