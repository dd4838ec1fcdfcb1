import { expect, test } from 'vitest';
import type { Answer, DeviationView } from '../../../../mock/index.ts';
import { eventNameOf, frameOf, onEvents, onFrames } from '../../../../mock/deviations/on-frames.ts';

/** What these changes do not look at. */
const call = {} as DeviationView;

const frames = [
  frameOf('status', { a: 1 }),
  ': a comment\n\n',
  frameOf('progress', { b: 2 }),
  frameOf('status', { a: 3 }),
];

function streamed(...chunks: readonly (string | Uint8Array)[]): Answer {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  }
  return { status: 200, headers: [], body: { kind: 'stream', chunks: bytes() } };
}

async function textOf({ body }: Answer): Promise<string> {
  if (body.kind !== 'stream') return body.kind;
  let text = '';
  for await (const chunk of body.chunks) text += Buffer.from(chunk).toString('utf8');
  return text;
}

test('a change receives whole frames no matter where the bytes are split', async () => {
  const text = frames.join('').replace('"b":2', '"b":"é"');
  const answer = streamed(...Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)));
  const seen: string[] = [];
  const changed = onFrames(async function* (frames) {
    for await (const frame of frames) {
      seen.push(frame);
      yield frame;
    }
  })(answer, call);
  expect(await textOf(changed)).toBe(text);
  expect(seen).toHaveLength(4);
});

test('a change leaves frames out, adds some and ends early', async () => {
  const changed = onFrames(async function* (frames) {
    for await (const frame of frames) {
      if (eventNameOf(frame) === undefined) continue;
      yield `id: 7\n${frame}`;
      if (eventNameOf(frame) === 'progress') return;
    }
  })(streamed(...frames), call);
  expect(await textOf(changed)).toBe(`id: 7\n${frames[0] ?? ''}id: 7\n${frames[2] ?? ''}`);
});

test('only the events of one name get other data, each with its number', async () => {
  const numbered = onEvents(
    () => 'status',
    (data, count) => ({ ...data, count }),
  );
  const changed = numbered(streamed(...frames), call);
  expect(await textOf(changed)).toBe(
    [frameOf('status', { a: 1, count: 0 }), frames[1], frames[2], frameOf('status', { a: 3, count: 1 })].join(
      '',
    ),
  );
});

test('an answer that is not a stream stays unchanged', () => {
  const answer: Answer = { status: 404, headers: [], body: { kind: 'json', value: {} } };
  expect(
    onEvents(
      () => 'status',
      () => ({}),
    )(answer, call),
  ).toBe(answer);
});
