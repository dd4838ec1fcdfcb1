/** The environment prevents the request: the rules that are still open are inconclusive. */
export class Hindered extends Error {
  override readonly name = 'Hindered';
  readonly exchanges: readonly string[];
  constructor(message: string, exchanges: readonly string[] = []) {
    super(message);
    this.exchanges = exchanges;
  }
}
