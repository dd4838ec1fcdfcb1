import { canonical } from '../../../../contract/canonical-json.ts';
import { check } from '../../../scenarios/check.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { Hindered, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { ERROR_BODY, isErrorBody } from '../wire/error.ts';
import { sketchRefusal } from './answers.ts';
import { anyModel, catalogue } from './catalogue.ts';

export const conditionalReads = scenario({
  id: 'router.schema.conditional',
  api: 'router',
  title: 'conditional reads of a schema document',
  judges: [
    'router.schema.inm-304',
    'router.schema.inm-weak',
    'router.schema.inm-list',
    'router.schema.inm-star',
    'router.schema.inm-miss',
    'router.schema.304-no-body',
    'router.schema.304-headers',
    'router.schema.404',
  ],
  uses: [catalogue],
  severalCases: [
    'router.schema.304-no-body',
    'router.schema.304-headers',
    'router.schema.inm-weak',
    'router.schema.inm-list',
    'router.schema.inm-star',
    'router.schema.inm-304',
    'router.schema.inm-miss',
  ],
  requests: {
    plain: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 7 },
    conditional: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 34 },
    anonymous: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'none', times: 1 },
    byToken: {
      method: 'GET',
      target: '/v1/models/{id}/openapi.json',
      as: 'jwt',
      times: 2,
      isOptional: true,
    },
    byStranger: {
      method: 'GET',
      target: '/v1/models/{id}/openapi.json',
      as: 'secondAccount',
      times: 2,
      isOptional: true,
    },
  },
  run: async function* (session) {
    const { send } = session;
    const fill = { id: await anyModel(session) };
    const held = await send('plain', { fill });
    const tag = held.header('ETag');
    if (held.status !== 200 || tag === undefined) {
      throw new Hindered(`no entity tag to send: ${sketchRefusal(held)}`, [held.id]);
    }
    const matching = (...values: readonly string[]): Promise<Exchange> =>
      send('conditional', { fill, headers: conditions(values) });

    // Document 1, GET …/openapi.json, header If-None-Match: weak comparison (RFC 9110, 13.1.2), lists, and `*`.
    const exact = await matching(tag);
    if (exact.status === 200 && exact.header('ETag') !== tag) {
      const again = await send('plain', { fill });
      if (again.header('ETag') !== exact.header('ETag')) {
        // The document is the same, byte by byte, so its earlier tag belongs to the current document.
        if ([exact, again].every(({ bytes }) => Buffer.compare(bytes, held.bytes) === 0))
          yield check(
            'router.schema.inm-304',
            [held, exact, again],
            false,
            `status 304 to the tag ${tag} of the same document`,
            `200, and another tag on every read: ${exact.header('ETag')}, ${again.header('ETag')}`,
          );
        throw new Hindered('the document has a different entity tag on every read', [
          held.id,
          exact.id,
          again.id,
        ]);
      }
      throw new Hindered('the document changed during the test', [held.id, exact.id]);
    }
    yield* judge304('router.schema.inm-304', held, exact);
    for (const [rule, ...values] of matchesOf(tag)) yield* judge304(rule, held, await matching(...values));

    // Tags that are similar to the current one are different tags.
    const inner = tag.replace(/^W\//, '').slice(1, -1);
    const others = ['*', 'tallystick-other', `${inner}x`, inner.slice(0, -1), inOtherCase(inner)];
    const near = others.filter((one) => one !== inner).flatMap((one) => [`"${one}"`, `W/"${one}"`]);
    for (const other of near) {
      const miss = await matching(other);
      const whole = miss.status === 200 && canonical(miss.json) === canonical(held.json);
      yield check(
        'router.schema.inm-miss',
        [held, miss],
        whole,
        'status 200 and the whole document',
        miss.status === 200 ? '200 with another document' : sketchRefusal(miss),
      );
    }
    // For the shape of its errors: the answer to a tag without quotes is not documented.
    await matching('tallystick-unquoted');
    // A condition without a tag matches nothing. It has no legal form, so only a 304 is judged.
    const empty = await matching('');
    const got = String(empty.status);
    yield check('router.schema.inm-miss', [held, empty], empty.status !== 304, 'no 304 to no tag', got);

    // Without a credential: an oracle judges the answer.
    await send('anonymous', { fill, headers: conditions(['*']) });
    // Document 1, GET …/openapi.json, responses, 404: a model that does not exist has no current document.
    const unknown = session.fixtures.model?.unknown ?? 'tallystick/no-such-model';
    const nothing = await send('conditional', { fill: { id: unknown }, headers: conditions(['*']) });
    yield check(
      'router.schema.404',
      nothing,
      nothing.status === 404 && isErrorBody(nothing.json),
      `status 404, and ${ERROR_BODY}`,
      sketchRefusal(nothing),
    );
    yield* judgeStandIn(session, { fill, held });
    // For any caller, whether it has read the document before or not: an oracle judges the answers.
    const standIn = session.fixtures.model?.noSchema?.id;
    const ids = [fill.id, ...(standIn === undefined ? [] : [standIn])];
    for (const [name, as] of [
      ['byToken', 'jwt'],
      ['byStranger', 'secondAccount'],
    ] as const)
      if (session.knows(as))
        for (const id of ids) {
          const seen = await send('plain', { fill: { id } });
          const condition = seen.header('ETag');
          if (condition !== undefined) await send(name, { fill: { id }, headers: conditions([condition]) });
        }
  },
});

/** The placeholder for a model without its own schema is a document like any other. */
async function* judgeStandIn(
  { send, fixtures }: Pick<Session<'plain' | 'conditional'>, 'send' | 'fixtures'>,
  other: { readonly fill: { readonly id: string }; readonly held: Exchange },
): AsyncGenerator<Check, void> {
  const id = fixtures.model?.noSchema?.id;
  if (id === undefined) return;
  const held = await send('plain', { fill: { id } });
  const tag = held.header('ETag');
  if (held.status !== 200 || tag === undefined) return;
  const exact = await send('conditional', { fill: { id }, headers: conditions([tag]) });
  if (exact.status === 304 || exact.header('ETag') === tag) {
    yield* judge304('router.schema.inm-304', held, exact);
    for (const [rule, ...values] of matchesOf(tag))
      yield* judge304(rule, held, await send('conditional', { fill: { id }, headers: conditions(values) }));
  }
  const far = await send('conditional', { fill: { id }, headers: conditions(['"tallystick-other"']) });
  yield check(
    'router.schema.inm-miss',
    [held, far],
    far.status !== 304,
    'the document, to a tag that it never had',
    String(far.status),
  );
  // A tag belongs to its own document: two models may share one only if their documents are equal.
  if (tag === other.held.header('ETag') || id === other.fill.id) return;
  const miss = await send('conditional', { fill: other.fill, headers: conditions([tag]) });
  if (miss.status === 304)
    yield check(
      'router.schema.inm-miss',
      [held, other.held, miss],
      false,
      'the document, to the tag of another one',
      '304',
    );
}

// --- internal ---

/** Entity tags are compared character by character (RFC 9110, section 8.8.3.2). */
function inOtherCase(text: string): string {
  return text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase();
}

/** Conditions that match a document with this tag: weakly, in a list, and any document. */
function matchesOf(tag: string): readonly (readonly [rule: string, ...values: readonly string[]])[] {
  const opaque = tag.replace(/^W\//, '');
  return [
    ['router.schema.inm-weak', opaque],
    ['router.schema.inm-weak', `W/${opaque}`],
    ['router.schema.inm-list', `"tallystick-other", ${tag}`],
    ['router.schema.inm-list', `${tag} , W/"tallystick-other"`],
    // Without blanks, with the match at the end, and over two lines (RFC 9110, section 5.3).
    ['router.schema.inm-list', `"tallystick-1","tallystick-2",${tag}`],
    ['router.schema.inm-list', '"tallystick-1"', tag],
    ['router.schema.inm-star', '*'],
  ];
}

/** On a connection that ends with the answer, so that everything after a 304 is visible. */
function conditions(values: readonly string[]): readonly (readonly [string, string])[] {
  return [...values.map((value) => ['If-None-Match', value] as const), ['Connection', 'close']];
}

function* judge304(rule: string, held: Exchange, answer: Exchange): Generator<Check> {
  yield check(
    rule,
    [held, answer],
    answer.status === 304,
    `status 304 to the tag ${held.header('ETag')}`,
    `${answer.status}`,
  );
  if (answer.status !== 304) return;
  // Document 1, GET …/openapi.json, responses, 304: no body, the same three headers.
  const bytes = answer.bytes.length;
  yield check('router.schema.304-no-body', answer, bytes === 0, 'no byte of body', `304 with ${bytes} bytes`);
  const missing = ['X-Service-Request-Id', 'ETag', 'Cache-Control'].filter(
    (name) => answer.header(name) === undefined,
  );
  const tag = answer.header('ETag');
  const same = tag === held.header('ETag');
  const got = missing.length > 0 ? `304 without ${missing.join(', ')}` : `304 with ETag: ${tag}`;
  const expected = `X-Service-Request-Id, Cache-Control and ETag: ${held.header('ETag')}`;
  yield check('router.schema.304-headers', [held, answer], missing.length === 0 && same, expected, got);
}
