/** How operations describe the bodies that they send. */
import type { Input } from './input.ts';
import type { Encode, ParameterStyle } from './parameters.ts';

/**
 * The body type of `fetch`. It is taken from `fetch`, because the types of Node and of browsers have no common name
 * for it.
 */
export type RequestBody = NonNullable<RequestInit['body']>;

/** @param description the document's description of this body */
export type BodyWriter = (value: unknown, description?: Partial<BodyDescription>) => RequestBody;

/** A body and the function that writes it. Operations without a body include no code for it. */
export interface BodyOfOperation extends BodyDescription {
  readonly prepare: (
    operation: { readonly id: string; readonly body?: BodyOfOperation },
    input: Input,
    headers: Headers,
  ) => RequestBody | undefined;
}

export interface BodyDescription {
  readonly write: BodyWriter;
  /** Absent if the value has its own media type, as a Blob does. */
  readonly mediaType?: string;
  /**
   * The media type of the written body, if only writing determines it: that of a multipart body contains its
   * boundary.
   */
  readonly typeOf?: (written: RequestBody) => string;
  /** Members of a form with an encoding of their own. */
  readonly members?: Readonly<Record<string, MemberDescription>>;
  /**
   * Further bodies that the operation accepts, and the function that selects the one that an input names by
   * its member `contentType`.
   */
  readonly others?: readonly BodyDescription[];
  readonly choose?: (body: BodyDescription, input: Input) => BodyDescription;
  /** The caller's headers for parts, by the names of the members. */
  readonly partHeaders?: Readonly<Record<string, PartHeaders | readonly PartHeaders[]>> | undefined;
  /** The member of the input that contains the value; default: `body`. */
  readonly member?: string;
  readonly required?: boolean;
}

/** Headers of one part of a multipart body. */
export type PartHeaders = Readonly<Record<string, string | undefined>>;

/** The encoding of a member of a form or of a multipart body. */
export interface MemberDescription {
  /** Required headers of its parts. */
  readonly needs?: readonly string[];
  readonly mediaType?: string;
  /** Instead of a media type: it is written like a parameter. */
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly encode?: Encode;
}
