import type { Answer } from '../../../call/answer.ts';
import { along, breaks, bySearch } from '../../../deviations/breaks.ts';
import {
  asNothing,
  asJson,
  asStatus,
  asText,
  both,
  onBody,
  refusal,
  withHeader,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import {
  bodyEnds,
  bodyFits,
  bodyIs,
  not,
  path,
  sends,
  status,
  when,
  type Condition,
} from '../../../deviations/conditions.ts';
import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import {
  goneSuggested,
  mostSuggested,
  numbersInTextTaken,
  schemaUnchecked,
  schemaUncheckedUnderKeys,
  unreleasedSuggested,
} from './parts.ts';
import { isMagic, isWellFormed, model } from './which-model.ts';

const onRun = breaks('runModel');

/** The model that answers with its input. */
const ECHO = 'acme/echo-1';

/** Members that its usual input has. */
const KNOWN = ['prompt', 'layers', 'note'];

const succeeds = (id: string): readonly Condition[] => [model(id), status(200)];

/** Changes the output of the model that answers with its input. */
const echoed = (change: (output: Record<string, unknown>) => unknown): AnswerChange =>
  when(succeeds(ECHO), onBody(200, change));

const results: readonly Deviation[] = onRun({
  'router.run.ok~201': when(succeeds('mock/ok'), asStatus(201)),
  'router.run.no-202~accepted': [
    when(succeeds('mock/ok'), both(withHeader('Location', '/v1/runs/1'), asStatus(202))),
    along('a 202 is not a 200', 'router.run.ok'),
  ],
  'router.run.single-response~stream': when(
    [...succeeds('mock/ok'), (_, { request }) => request.header('accept')?.includes('event-stream') === true],
    asText('text/event-stream', 'event: progress\ndata: {"value":0.5}\n\n'),
  ),
  'router.run.single-response~stream-under-a-key': when(
    [...succeeds('mock/ok'), sends('accept', 'text/event-stream'), sends('idempotency-key')],
    asText('text/event-stream', 'event: progress\ndata: {"value":0.5}\n\n'),
  ),
  'router.run.no-202~to-who-would-wait': when([...succeeds('mock/ok'), sends('prefer')], asStatus(202)),
  'router.run.output-object~array': when(
    succeeds('mock/ok'),
    onBody(200, (output) => [output]),
  ),
  'router.run.output-object~large-without-a-key': when(
    [status(200), model('mock/unreplayable'), not(sends('idempotency-key'))],
    asText('application/json', '{"text":"deviant on'),
  ),
  'router.run.output-object~as-plain-text': when(
    succeeds('mock/ok'),
    withHeader('Content-Type', 'text/plain'),
  ),
  'router.run.output-object~nothing-to-an-empty-one': [
    when([...succeeds(ECHO), bodyFits((input) => Object.keys(input).length === 0)], asNothing(204)),
    along('a 204 is not a 200', 'router.run.ok'),
  ],
  'router.run.output-unchanged~envelope': [echoed((data) => ({ data })), through('an envelope')],
  'router.run.output-unchanged~field-dropped': [
    echoed(({ layers: _, ...body }) => body),
    through('an output with a hole'),
  ],
  'router.run.output-unchanged~field-renamed': [
    echoed(({ prompt, ...body }) => ({ ...body, text: prompt })),
    through('an output with other names'),
  ],
  'router.run.output-unchanged~reprinted': echoed((body) => ({ ...body })),
  'router.run.output-unchanged~reprinted-when-long': when(
    (_, { request }) => request.raw.body.length > 32_768,
    echoed((body) => ({ ...body })),
  ),
  'router.run.output-unchanged~reprinted-by-token': when(
    sends('authorization', 'Bearer eyJ'),
    echoed((body) => ({ ...body })),
  ),
  'router.run.body-forwarded~unknown-dropped': echoed((body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => KNOWN.includes(name))),
  ),
  'router.run.body-forwarded~null-removed': echoed((body) =>
    Object.fromEntries(
      Object.entries(body).filter(([name, value]) => value !== null || KNOWN.includes(name)),
    ),
  ),
  'router.run.body-forwarded~camel-case': when(
    hasMember((name) => name.includes('_')),
    echoed((body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value])),
    ),
  ),
  'router.run.body-forwarded~long-text-cut': [
    echoed(({ tallystick_text: text, ...body }) =>
      text === undefined ? body : { ...body, tallystick_text: String(text).slice(0, 2000) },
    ),
    along('what reaches the model comes back in its output', 'router.run.output-unchanged'),
  ],
  'router.run.body-forwarded~second-buffer-dropped': when(
    (_, { request }) => request.raw.body.length > 65_536,
    echoed(({ tallystick_many: _left, ...body }) => body),
  ),
  'router.run.body-forwarded~marked-under-a-key': [
    when(
      [sends('idempotency-key'), hasMember((name) => name.startsWith('tallystick'))],
      echoed((body) => ({ ...body, request_id: 'deviant-on-purpose' })),
    ),
    bySearch('what reaches the model comes back in its output', 'router.run.output-unchanged'),
  ],
  'router.run.body-forwarded~proto-dropped': when(
    hasMember((name) => name === '__proto__'),
    echoed((body) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== '__proto__'))),
  ),
  'router.run.body-forwarded~unwrapped': when(
    hasMember((name) => name === 'input'),
    echoed(({ input }) => input),
  ),
  'router.run.body-forwarded~one-for-all': [
    echoed((body) => ('tallystick_number' in body ? { ...body, tallystick_number: 0 } : body)),
    along('what reaches the model comes back in its output', 'router.run.output-unchanged'),
  ],
  'router.run.open-input~long-chunks-refused': when(
    [
      ...succeeds(ECHO),
      sends('transfer-encoding', 'chunked'),
      (_, { request }) => request.raw.body.length > 16_384,
    ],
    refusal(400, 'badInput'),
  ),
  'router.run.open-input~charset-refused': when(
    [
      ...succeeds(ECHO),
      sends('content-type', 'application/json;'),
      hasMember((name) => name.startsWith('tallystick')),
    ],
    refusal(400, 'badInput'),
  ),
  'router.run.open-input~closed': when(
    [...succeeds(ECHO), hasMember((name) => name.startsWith('tallystick'))],
    refusal(400, 'badInput'),
  ),
  'router.run.schema-valid-not-invalid-input~few-characters': when(
    [...succeeds('mock/ok'), bodyFits(({ prompt }) => String(prompt).length > 4000)],
    refusal(400, 'badInput'),
  ),
  'router.run.schema-valid-not-invalid-input~integers-of-32-bits': when(
    [...succeeds('mock/ok'), bodyFits(({ seed }) => Number(seed) > 2 ** 32)],
    refusal(400, 'badInput'),
  ),
  'router.run.schema-valid-not-invalid-input~minimal-refused': when(
    [...succeeds('mock/ok'), bodyFits((input) => Object.keys(input).length < 2)],
    refusal(400, 'badInput'),
  ),
});

const badInputs: readonly Deviation[] = onRun({
  'router.run.body-required~runs': when(
    [status(400), (_, { request }) => request.raw.body.length === 0],
    asJson(200, {}),
  ),
  'router.run.malformed-json~500': [
    when(isMalformed, refusal(500, 'internal')),
    along('the recorded refusal comes as a 500', 'router.idem.release-5xx'),
  ],
  'router.run.malformed-json~runs': when(isMalformed, asJson(200, {})),
  'router.run.malformed-json~comma-taken': when([isMalformed, bodyEnds(',}')], asJson(200, {})),
  'router.run.malformed-json~500-with-a-key': [
    when([isMalformed, sends('idempotency-key')], refusal(500, 'internal')),
    along('the recorded refusal comes as a 500', 'router.idem.release-5xx'),
  ],
  'router.run.malformed-json~no-number-taken': when([isMalformed, bodyEnds(':NaN}')], asJson(200, {})),
  'router.run.malformed-json~without-schema': when([isMalformed, model('mock/no-schema')], asJson(200, {})),
  'router.run.non-object-body~runs': [
    when([status(400), isNoObject], asJson(200, {})),
    along('a list does not match the schema of the model either', 'router.run.schema-is-enforced'),
  ],
  'router.run.non-object-body~without-schema': when([isNoObject, model('mock/no-schema')], asJson(200, {})),
  'router.run.non-object-body~long-ids-unknown': when(
    [isNoObject, path(/^\/v1\/models\/.{22,}$/)],
    refusal(404, 'unknownModel'),
  ),
  'router.run.body-required~without-schema': when([bodyIs('none'), model('mock/no-schema')], asJson(200, {})),
  'router.run.schema-is-enforced~unchecked': { router: schemaUnchecked },
  'router.run.schema-is-enforced~numbers-in-text': { router: numbersInTextTaken },
  'router.run.schema-is-enforced~unchecked-under-a-key': { router: schemaUncheckedUnderKeys },
  'router.run.404-model-not-found~bad-input': when(
    [status(404), isWellFormed, model('mock/no-such-model'), not(sends('idempotency-key'))],
    refusal(400, 'badInput'),
  ),
  'router.run.404-unknown-provider~403': when(
    [status(404), isWellFormed, not(isMagic)],
    refusal(403, 'noAccess'),
  ),
  'router.run.404-suggestions-max3~five': { router: mostSuggested(5) },
  'router.run.404-suggestions-visible~hidden': { router: unreleasedSuggested },
  'router.run.404-suggestions-visible~gone': { router: goneSuggested },
});

export const routerRunDeviations: readonly Deviation[] = [...results, ...badInputs];

// --- internal ---

function through(what: string): Deviation['alsoFails'] {
  return along(
    `what arrived cannot be seen through ${what}`,
    'router.run.body-forwarded',
    'router.run.open-input',
  );
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isMalformed(answer: Answer, { request }: DeviationView): boolean {
  return answer.status === 400 && request.raw.body.length > 0 && request.body().kind === 'malformed';
}

function isNoObject(_: Answer, { request }: DeviationView): boolean {
  const sent = request.body();
  return sent.kind === 'json' && (typeof sent.value !== 'object' || Array.isArray(sent.value));
}

function hasMember(holds: (name: string) => boolean): Condition {
  return bodyFits((input) => Object.keys(input).some(holds));
}
