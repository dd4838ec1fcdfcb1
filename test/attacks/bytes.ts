import { Wire } from '../mock/wire.ts';

/** A request as the very lines that are given; lines that need no change stay short in tables. */
export function request(line: string, headers: readonly string[], body = ''): string {
  return `${line} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`;
}

/** What a server says to bytes until it closes the connection or has given a whole head. */
export async function heads(url: string, bytes: string): Promise<string> {
  const wire = await Wire.open(url);
  wire.write(Buffer.from(bytes, 'latin1'));
  const text = await wire.until((received) => received.includes('\r\n\r\n'));
  wire.drop();
  return text.split('\r\n\r\n')[0] ?? '';
}

/** Everything that a server says to bytes until it closes the connection itself. */
export async function untilClosed(url: string, bytes: string): Promise<string> {
  const wire = await Wire.open(url);
  wire.write(Buffer.from(bytes, 'latin1'));
  return wire.until(() => false);
}

/** The statuses of all answers in a server's output. An answer follows the previous body without a line break. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
}
