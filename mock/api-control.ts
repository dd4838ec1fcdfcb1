/** The part of the control API that belongs to one API. */
export interface ApiControl {
  /** In brief, for `GET /control/v1/state`. */
  readonly state: () => object;
  /** By method, under `/control/v1/<name of the API>/…`; each answers with what is shown. */
  readonly routes: Readonly<Record<string, (path: readonly string[], body: unknown) => unknown>>;
}

/** Something that the caller of the control API got wrong. */
export class ControlMistake extends Error {
  override readonly name = 'ControlMistake';
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
