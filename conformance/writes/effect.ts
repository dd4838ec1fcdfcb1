/**
 * What a call of an operation does, by document and sheet.
 *
 * `reads`: it changes nothing. `creates`: it makes a thing that can be told apart. `changes`: what it changes is named in
 * the request. `unclear`: it may change what the run did not make, and `why` says what shows that.
 */
export type CallEffect =
  { readonly kind: 'reads' | 'creates' | 'changes' } | { readonly kind: 'unclear'; readonly why: string };
