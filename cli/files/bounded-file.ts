import { open } from 'node:fs/promises';
import { CommandFailure } from '../failure.ts';

/**
 * Reads an untrusted text file or pipe, up to a maximum number of bytes.
 *
 * @param named its name in messages
 * @throws {CommandFailure} when it is larger; also throws the errors of opening it
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
          'check that this is the file you meant',
        ]);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await file.close();
  }
}
