import { open } from 'node:fs/promises';
import { CommandFailure } from './failure.ts';

/**
 * Reads a text file, or a pipe, of at most so many bytes; it may come from anybody.
 *
 * @param named how messages call it
 * @throws {CommandFailure} when it is larger, and whatever opening it throws
 */
export async function readBounded(path: string, named: string, mostBytes: number): Promise<string> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > mostBytes)
        throw new CommandFailure(2, `${named} is larger than ${mostBytes} bytes`, [
          'is it the file that was meant?',
        ]);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await file.close();
  }
}
