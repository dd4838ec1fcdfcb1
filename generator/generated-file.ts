/**
 * A file of the output: its path relative to the output folder, with `/` between folders, and its whole text.
 */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}
