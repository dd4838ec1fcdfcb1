import { canonical } from '../../../../contract/canonical-json.ts';
import { check } from '../../../scenarios/check.ts';
import { isObject, isSuccess, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { judgeCompany } from '../../../scenarios/company.ts';
import { bodySchemas, resolve } from '../../../schemas/schema-document.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, SendOptions } from '../../../scenarios/scenario.ts';
import { cut, sketch } from '../../../exchanges/sketch.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { declared, isReplayed, judgeReplay, keyed, refuseBroken } from './idempotency.ts';
import { isOpenObject } from './negatives.ts';

/** RFC 8259, section 11: the parameter has no meaning. */
const CHARSET = 'application/json; charset=utf-8';

/** Spellings that a parser forgets (RFC 8259, sections 6 and 7). */
const SPELLED = String.raw`"tallystick_digits":1234567890123456789,"tallystick_escapes":"\/\ud83d\udca5<&>",`;

/** The number of simultaneous calls. */
const TOGETHER = 3;

export const nativeBodies = scenario({
  id: 'router.run.native-bodies',
  api: 'router',
  title: 'inputs and outputs of a model whose output is known',
  permissions: ['billed'],
  needs: ['model.echo'],
  judges: [
    'router.run.output-unchanged',
    'router.run.body-forwarded',
    'router.run.open-input',
    'router.run.output-object',
    'router.idem.replay',
  ],
  severalCases: ['router.run.output-unchanged', 'router.run.body-forwarded'],
  searches: ['router.run.output-object', 'router.idem.replay'],
  lock: 'router.capacity',
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 13 },
    byToken: { method: 'POST', target: '/v1/models/{id}', as: 'jwt', times: 1, isOptional: true },
    alone: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: TOGETHER },
    together: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'valid',
      times: TOGETHER,
      judgesRefusal: true,
    },
    document: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 1 },
  },
  run: async function* ({ send, race, fixtures, freshKey, knows }) {
    const { id, input, expectedOutput, rawInput, rawOutput } = declared(fixtures.model?.echo, 'model.echo');
    const fill = { id };

    // Document 1, What the service does, bullet 2: the output unchanged, no envelope, nothing renamed or narrowed.
    const known = await send('run', { fill, body: input });
    refuseBroken('model.echo', known);
    const unchanged = expectedOutput === undefined || canonical(known.json) === canonical(expectedOutput);
    if (expectedOutput !== undefined) {
      yield check('router.run.output-unchanged', known, unchanged, `the output ${sketch(expectedOutput)}`);
    }

    // The same bullet: the input unchanged, spelled as it was sent. A model may itself parse and print it, so
    // the fixtures state the expected output. An output that is already changed shows nothing about the
    // input.
    if (!unchanged) return;
    if (rawInput !== undefined && rawOutput !== undefined) {
      const raw = await send('run', { fill, body: rawInput });
      if (isSuccess(raw)) {
        const text = new TextDecoder().decode(raw.bytes);
        const same = canonical(raw.json) === canonical(parseJson(rawOutput));
        yield check(
          'router.run.body-forwarded',
          raw,
          same,
          `the model's answer to the whole input: ${rawOutput}`,
          text,
        );
        if (same)
          yield check('router.run.output-unchanged', raw, text.trim() === rawOutput.trim(), rawOutput, text);
        // The same for the other kind of credential.
        const byToken = same && knows('jwt') ? await send('byToken', { fill, body: rawInput }) : undefined;
        if (byToken !== undefined && isSuccess(byToken)) {
          const printed = new TextDecoder().decode(byToken.bytes);
          yield check(
            'router.run.output-unchanged',
            byToken,
            printed.trim() === rawOutput.trim(),
            `${rawOutput}, to a JWT as well`,
            printed,
          );
        }
        // The same for long bodies and with a key, if the model repeats its input.
        for (const repeats of same && rawInput.trim() === rawOutput.trim() ? [1000, 4000] : []) {
          const long: string = rawInput.replace(
            '{',
            `{\n\t"tallystick_text":"${'tally é\u58a8💥 '.repeat(repeats)}",${SPELLED}`,
          );
          if (long === rawInput) break;
          const key = freshKey();
          // One of them in chunks (RFC 9112, section 7.1).
          const call = { ...keyed(id, long, key), isChunked: repeats === 1000 };
          const whole = await send('run', call);
          const got = new TextDecoder().decode(whole.bytes);
          if (isSuccess(whole) && canonical(whole.json) === canonical(parseJson(long)))
            yield check(
              'router.run.output-unchanged',
              whole,
              got.trim() === long.trim(),
              'each byte of a long output, under a key',
              cut(got, 200),
            );
          if (isSuccess(whole)) {
            // An oracle compares the content of the replay. It is the recorded answer, and so still the
            // native output.
            const again = await send('run', call);
            if (isReplayed(again))
              yield check(
                'router.run.output-unchanged',
                [whole, again],
                new TextDecoder().decode(again.bytes).trim() === got.trim(),
                'each byte of a long output, on its replay as well',
                cut(new TextDecoder().decode(again.bytes), 200),
              );
          }
        }
      }
    }
    if (expectedOutput === undefined || canonical(expectedOutput) !== canonical(input)) return;

    // Document 1, RouterModelInput and RouterModelOutput: the router does not restrict what the served schema
    // leaves open.
    const document = await send('document', { fill });
    const open = bodySchemas(document.json).every((schema) => isOpenObject(document.json, schema));
    if (document.status !== 200 || !open) return;
    const odd = {
      ...namesOfRouters(document.json),
      ...(input as object),
      tallystick_null: null,
      tallystick_list: [1, [2], {}],
      tallystick_text: 'é💥',
      tallystick_lines: ' \t\r\n\rtally\n\r\n ',
      tallystick_objects: deepObject(40),
      tallystick_nameless: { '': { '': 1 } },
      tallystick_no_list: [],
      tallystick_no_object: {},
      tallystick_no_text: '',
      tallystick_zero: 0,
      tallystick_no: false,
      tallystick_deep: deep(40),
      '': 'a member without a name',
      ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`tallystick_${index}`, index])),
      // Document 1, What the service does, deliberate properties: no callback, no stream, regardless of
      // member names.
      webhook_url: 'https://tallystick.invalid/callback',
      stream: true,
    };
    const answer = await send('run', { fill, body: odd });
    yield check(
      'router.run.open-input',
      answer,
      !isInputRefused(answer),
      'members beyond the schema are accepted',
      sketchRefusal(answer),
    );
    if (isSuccess(answer)) {
      const whole = canonical(answer.json) === canonical(odd);
      yield check('router.run.body-forwarded', answer, whole, 'all members, null and unknown ones too');
    }

    // The same bullet, for chunked bodies, for long ones, and for several at once. Limits of size are not
    // documented, nor is whether a gateway requires a length: such a refusal is not judged.
    const long = {
      ...(input as object),
      // More than a buffer of 64 KiB, less than the usual limit of 100 kB.
      tallystick_text: 'é\u58a8💥'.repeat(7500),
      tallystick_many: Array.from({ length: 3000 }, (_, index) => index),
    };
    const hostile: unknown = JSON.parse(`{"__proto__":{"tally":1},"tallystick_zero":"a\\u0000b\\u2028"}`);
    const rare = { ...(input as object), ...(hostile as object) };
    const sent: readonly { call: SendOptions; like?: unknown; what: string }[] = [
      { call: { fill, body: rare }, what: 'members that are rare' },
      {
        // RFC 8259, section 2: whitespace has no meaning.
        call: { fill, body: `\n\t${JSON.stringify(odd, null, 1)}\n`, isChunked: true, contentType: CHARSET },
        like: odd,
        what: 'lines, in chunks, with a charset',
      },
      { call: keyed(id, long, freshKey()), what: 'a long body under a key' },
      { call: { fill, body: long, isChunked: true }, what: 'a long body in chunks' },
    ];
    const accepted = new Map<unknown, Exchange>(isSuccess(answer) ? [[odd, answer]] : []);
    for (const { call, what, like: body = call.body } of sent) {
      const echoed = await send('run', call);
      const before = accepted.get(body);
      if (isSuccess(echoed)) {
        yield judgeEcho(echoed, body, what);
        accepted.set(body, echoed);
        // RFC 9112, section 7.1: a recipient reads chunks, or refuses them all with 411.
      } else if (before !== undefined && isInputRefused(echoed) && ![411, 413].includes(echoed.status))
        yield check(
          'router.run.open-input',
          [before, echoed],
          false,
          `a success for ${what}, as for the same body with its length`,
          sketchRefusal(echoed),
        );
    }
    yield* judgeEmpty(keyed(id, {}, freshKey()), (call) => send('run', call));
    const bodies = Array.from({ length: TOGETHER }, (_, number) => ({ ...odd, tallystick_number: number }));
    const together = await race(
      'together',
      bodies.map((body) => ({ fill, body })),
    );
    yield* judgeCompany('router.run.open-input', together, (index) =>
      send('alone', { fill, body: bodies[index] }),
    );
    for (const [index, echoed] of together.entries())
      if (isSuccess(echoed)) yield judgeEcho(echoed, bodies[index], 'its own body, of several at once');
  },
});

/**
 * Document 1, RouterModelInput and RouterModelOutput: objects, also those without members. The model may
 * require some, or add its own.
 */
async function* judgeEmpty(
  call: SendOptions,
  send: (call: SendOptions) => Promise<Exchange>,
): AsyncGenerator<Check> {
  const empty = await send(call);
  if (!isSuccess(empty)) return;
  yield check('router.run.output-object', empty, isObject(empty.json), 'a JSON object, to an empty one too');
  yield judgeReplay('router.idem.replay', empty, await send(call));
}

function isInputRefused(answer: Exchange): boolean {
  return bucketOf(answer) === 'invalid_input' || answer.status === 422;
}

/** Members that a router may interpret itself, if the schema has none of these names. */
function namesOfRouters(document: unknown): object {
  const known = JSON.stringify(bodySchemas(document).map((schema) => resolve(document, schema)));
  const names = { input: { tally: 1 }, model: 'tallystick', data: [1], parameters: { tally: 1 } };
  return Object.fromEntries(Object.entries(names).filter(([name]) => !known.includes(`"${name}"`)));
}

/** Nested objects, with this depth. */
function deepObject(levels: number): unknown {
  return levels === 0 ? {} : { tallystick: deepObject(levels - 1) };
}

/** Nested lists, with this depth. */
function deep(levels: number): unknown {
  return levels === 0 ? [] : [deep(levels - 1)];
}

function judgeEcho(answer: Exchange, body: unknown, what: string): Check {
  const same = canonical(answer.json) === canonical(body);
  return check('router.run.body-forwarded', answer, same, `the model's answer to ${what}`);
}
