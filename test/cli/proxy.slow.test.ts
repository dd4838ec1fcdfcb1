import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { tallystickHere } from './command.ts';

/** A server with a catalogue without models. */
async function catalogue(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Service-Request-Id': 'r' });
    response.end('{"data":[],"has_more":false,"limit":20}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const list = `node -e "fetch(process.env.TALLYSTICK_PROXY_URL + '/v1/models', { headers: { 'X-API-Key': 'k' } }).then((answer) => answer.text())"`;

test.each([
  ['0 if no rule of its levels is broken', catalogue, list, 0, ' 0 broken'],
  [
    '1 if no exchange shows a rule, such as when the server cannot be reached',
    () => Promise.resolve('http://127.0.0.1:9'),
    list,
    1,
    'no rule was judged',
  ],
  ['1 if no client calls', catalogue, 'node -e 0', 1, 'no rule was judged'],
  ['that of the command if it is not 0', catalogue, 'exit 3', 3, '0 exchanges passed'],
])('with --fail-on, the exit code is %s', async (_, server, command, code, says) => {
  const args = ['proxy', await server(), '--api', 'router', '--port', '0', '--no-control'];
  const ended = await tallystickHere([...args, '--fail-on', 'must', '--exec', command]);
  expect(ended.stderr + ended.stdout).toContain(says);
  expect(ended.code).toBe(code);
});

test('a port that is in use ends the proxy with 2, and another one is suggested', async () => {
  const server = await catalogue();
  const { code, stderr } = await tallystickHere(['proxy', server, '--port', new URL(server).port]);
  expect(stderr).toContain(`take a free port: npx --no -- tallystick proxy ${server}/ --port 0`);
  expect(code).toBe(2);
});
