import fc from 'fast-check';
import { randomAnswer, randomBody, type RandomContent } from './bodies.ts';
import {
  ALL_NAMES,
  type Names,
  namesFrom,
  type Place,
  randomParameter,
  type RandomParameter,
} from './parameters.ts';

/** An operation and what travels in its calls. */
export interface RandomOperation {
  readonly path: string;
  readonly method: string;
  readonly described: object;
  readonly parameters: readonly RandomParameter[];
  readonly body: { readonly required: boolean; readonly contents: readonly RandomContent[] } | undefined;
  readonly answers: readonly RandomAnswerOf[];
}

/** One way in which an operation is answered. */
export interface RandomAnswerOf {
  /** As the document has it. */
  readonly place: string;
  readonly status: number;
  readonly content: RandomContent | undefined;
  readonly headers: Readonly<Record<string, fc.Arbitrary<string>>>;
}

/** A document of operations that have nothing in common. */
export function randomDocument(
  operations: number,
  seed: number,
): { readonly document: object; readonly operations: readonly RandomOperation[] } {
  const found = fc
    .sample(fc.tuple(fc.shuffledSubarray([...ALL_NAMES], { minLength: ALL_NAMES.length }), fc.gen()), {
      numRuns: operations,
      seed,
    })
    .map(([shuffled, g], index) => randomOperation(g, namesFrom(shuffled), index));
  const paths = Object.fromEntries(
    found.map(({ path, method, described }) => [path, { [method]: described }]),
  );
  return {
    document: { openapi: '3.1.0', info: { title: 'Random', version: '1' }, paths },
    operations: found,
  };
}

// --- internal ---

function randomOperation(g: fc.GeneratorValue, names: Names, index: number): RandomOperation {
  const places = Array.from(
    { length: g(fc.integer, { min: 0, max: 4 }) },
    () => g(fc.constantFrom, 'query', 'query', 'path', 'header', 'cookie') as Place,
  );
  const parameters = places.map((place) => randomParameter(g, place, names));
  const takesBody = g(fc.boolean);
  const contents = takesBody ? contentsOf(g, names) : [];
  const body = takesBody ? { required: g(fc.boolean), contents } : undefined;
  const answers = answersOf(g);
  const segments = parameters
    .filter(({ place }) => place === 'path')
    .map(({ name }) => `/{${name}}${g(fc.constantFrom, '', '', ':go', '/x')}`);
  const path = `/op${String(index)}${segments.join('')}`;
  return {
    path,
    method: takesBody
      ? g(fc.constantFrom, 'post', 'put', 'patch')
      : g(fc.constantFrom, 'get', 'delete', 'post'),
    parameters,
    body,
    answers,
    described: {
      operationId: g(fc.constantFrom, `op${String(index)}`, `${names.take()} ${String(index)}`),
      parameters: parameters.map(({ described }) => described),
      ...(body === undefined
        ? {}
        : { requestBody: { required: body.required, content: contentMap(contents) } }),
      responses: Object.fromEntries(answers.map((answer) => [answer.place, responseOf(answer)])),
    },
  };
}

function contentsOf(g: fc.GeneratorValue, names: Names): RandomContent[] {
  const all = Array.from({ length: g(fc.constantFrom, 1, 1, 1, 2, 3) }, () => randomBody(g, names));
  return all.filter((each, at) => all.findIndex(({ mediaType }) => mediaType === each.mediaType) === at);
}

const contentMap = (contents: readonly RandomContent[]): object =>
  Object.fromEntries(contents.map(({ mediaType, described }) => [mediaType, described]));

const STATUSES: Readonly<Record<string, readonly number[]>> = {
  '200': [200],
  '201': [201],
  '2XX': [202, 206],
  '404': [404],
  '409': [409],
  '4XX': [418, 422],
  '5XX': [500, 503],
};

function answersOf(g: fc.GeneratorValue): RandomAnswerOf[] {
  const success = g(fc.constantFrom, '200', '201', '2XX', '204');
  const others = g(fc.subarray, ['404', '409', '4XX', '5XX', 'default'] as string[], { maxLength: 3 });
  // Ranges win over the default.
  const left = [...(others.includes('4XX') ? [] : [400]), ...(others.includes('5XX') ? [] : [599])];
  const places = [success, ...others].filter((place) => place !== 'default' || left.length > 0);
  return places.map((place) => {
    const isEmpty = place === '204' || g(fc.constantFrom, 0, 1, 2, 3, 4) === 0;
    const status = g(fc.constantFrom, ...(place === 'default' ? left : (STATUSES[place] ?? [204])));
    return {
      place,
      status,
      content: isEmpty ? undefined : randomAnswer(g),
      headers: g(fc.boolean) ? { 'X-Count': fc.nat().map(String), 'X-Said': SAID } : {},
    };
  });
}

const SAID = fc.string({ minLength: 1, maxLength: 10 }).filter((text) => text.trim() === text && text !== '');

function responseOf({ content, headers }: RandomAnswerOf): object {
  const schemas: Readonly<Record<string, object>> = {
    'X-Count': { type: 'integer', minimum: 0 },
    'X-Said': { type: 'string' },
  };
  return {
    description: 'Answered.',
    ...(content === undefined ? {} : { content: contentMap([content]) }),
    headers: Object.fromEntries(
      Object.keys(headers).map((name) => [name, { required: true, schema: schemas[name] }]),
    ),
  };
}
