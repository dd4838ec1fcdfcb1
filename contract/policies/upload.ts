/**
 * An answer that says where a file goes (document 2, "POST …/versions", response 201). How it is sent there is open in the
 * contract: what stands here is what a client does unless its caller says otherwise.
 */
export interface UploadPolicy {
  readonly kind: 'upload';
  readonly operations: readonly string[];
  /** The path of the address in the body of the answer, with dots. */
  readonly address: string;
  readonly method: string;
  readonly mediaType: string;
}
