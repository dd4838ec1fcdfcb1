/**
 * An answer that contains the address for an upload (document 2, "POST …/versions", response 201). The
 * contract leaves open how the file is sent: these members are what a client does unless its caller
 * chooses otherwise.
 */
export interface UploadPolicy {
  readonly kind: 'upload';
  readonly operations: readonly string[];
  /** The path of the address in the body of the answer, with dots. */
  readonly address: string;
  readonly method: string;
  readonly mediaType: string;
}
