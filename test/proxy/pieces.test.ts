import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../proxy/index.ts';
import { streamsDocument } from '../generator/streams-document.ts';
import { own } from '../mock/own-document.ts';

/** What a proxy says about one answer that passed: the failures of the rule about answers. */
async function failuresOf(
  path: string,
  mediaType: string,
  chunks: readonly string[],
): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': mediaType });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const target = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  const contracts = [await own('streams', JSON.stringify(streamsDocument))];
  const proxy = await startProxy({ target, contracts, controlPort: false });
  await (await fetch(`${proxy.url}/${path}`)).text();
  const { rules } = await proxy.stop();
  return rules.flatMap(({ verdict, failures = [] }) =>
    verdict === 'fail' ? failures.map(({ observed }) => observed) : [],
  );
}

test.each([
  ['lines', 'application/jsonl', ['{"n":1}\n', '{"n":2}\n'], []],
  ['lines', 'application/jsonl', ['{"n":1}\n', '{"n":"x"}\n'], ['piece 2: {"n":"x"}: /n must be integer']],
  ['sequence', 'application/json-seq', ['\u001E{"n":1}\n'], []],
  [
    'sequence',
    'application/json-seq',
    ['\u001E{"n":1}\n\u001Enull\n'],
    ['piece 2: null: the piece must be object'],
  ],
  ['parts', 'multipart/mixed; boundary=b', ['--b\r\n\r\n{"n":1}\r\n', '--b--\r\n'], []],
  [
    'parts',
    'multipart/mixed; boundary=b',
    ['--b\r\n\r\n{"n":1}\r\n', '--b\r\n\r\n7\r\n--b--'],
    ['piece 2: 7: the piece must be object'],
  ],
  ['listed', 'text/event-stream', ['data: {"n":1}\n\n', 'data: [DONE]\n\n'], []],
  ['listed', 'text/event-stream', ['data: {"n":1}\n\n', 'data: x\n\n'], ['piece 2: x: not JSON']],
])('%s: the pieces of what passes are judged (%s %j)', async (path, mediaType, chunks, failures) => {
  expect(await failuresOf(path, mediaType, chunks)).toStrictEqual(failures);
});
