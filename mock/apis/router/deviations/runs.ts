import { withHeaders, type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { mostSuggested, schemaUnchecked, unreleasedSuggested } from './parts.ts';
import {
  along,
  breaks,
  isWellFormed,
  pathId,
  refused,
  sentBody,
  when,
  withJson,
  withText,
} from '../../../deviations/wire.ts';

type Reply = NonNullable<Deviation['onReply']>;

const run = ['runModel'];

/** The model that answers with its input. */
const ECHO = 'acme/echo-1';

/** Members that its usual input has. */
const KNOWN = ['prompt', 'layers', 'note'];

const on = (id: string, change: Reply): Reply => when((_, seen) => pathId(seen) === id, change);

/** Successful runs of one model. */
const success = (id: string, change: Reply): Reply =>
  on(
    id,
    when((answer) => answer.status === 200, change),
  );

const results: readonly Deviation[] = [
  breaks('router.run.ok', '201', {
    operations: run,
    onReply: success('mock/ok', (answer) => ({ ...answer, status: 201 })),
  }),
  breaks('router.run.no-202', 'accepted', {
    operations: run,
    alsoFails: along('a 202 is no 200', 'router.run.ok'),
    onReply: success('mock/ok', (answer) => ({
      ...withHeaders(answer, [['Location', '/v1/runs/1']]),
      status: 202,
    })),
  }),
  breaks('router.run.single-response', 'stream', {
    operations: run,
    onReply: success(
      'mock/ok',
      when(
        (_, seen) => seen.request.header('accept')?.includes('event-stream') === true,
        (answer) => withText(answer, 200, 'text/event-stream', 'event: progress\ndata: {"value":0.5}\n\n'),
      ),
    ),
  }),
  breaks('router.run.output-object', 'array', {
    operations: run,
    onReply: success('mock/ok', (answer) => onJson(answer, 200, (body) => [body])),
  }),
  breaks('router.run.output-unchanged', 'envelope', {
    operations: run,
    alsoFails: through('an envelope'),
    onReply: success(ECHO, (answer) => onJson(answer, 200, (data) => ({ data }))),
  }),
  breaks('router.run.output-unchanged', 'field-dropped', {
    operations: run,
    alsoFails: through('an output with a hole'),
    onReply: success(ECHO, (answer) => onJson(answer, 200, ({ layers: _, ...body }) => body)),
  }),
  breaks('router.run.output-unchanged', 'field-renamed', {
    operations: run,
    alsoFails: through('an output with other names'),
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, ({ prompt, ...body }) => ({ ...body, text: prompt })),
    ),
  }),
  breaks('router.run.output-unchanged', 'reprinted', {
    operations: run,
    onReply: success(ECHO, (answer) => onJson(answer, 200, (body) => ({ ...body }))),
  }),
  breaks('router.run.body-forwarded', 'unknown-dropped', {
    operations: run,
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, (body) =>
        Object.fromEntries(Object.entries(body).filter(([name]) => KNOWN.includes(name))),
      ),
    ),
  }),
  breaks('router.run.body-forwarded', 'null-removed', {
    operations: run,
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, (body) =>
        Object.fromEntries(
          Object.entries(body).filter(([name, value]) => value !== null || KNOWN.includes(name)),
        ),
      ),
    ),
  }),
  breaks('router.run.body-forwarded', 'camel-case', {
    operations: run,
    onReply: success(
      ECHO,
      when(
        (_, seen) => Object.keys(sentBody(seen)).some((name) => name.includes('_')),
        (answer) =>
          onJson(answer, 200, (body) =>
            Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value])),
          ),
      ),
    ),
  }),
  breaks('router.run.body-forwarded', 'long-text-cut', {
    alsoFails: along('what reaches the model comes back in its output', 'router.run.output-unchanged'),
    operations: run,
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, ({ tallystick_text: text, ...body }) =>
        text === undefined ? body : { ...body, tallystick_text: String(text).slice(0, 2000) },
      ),
    ),
  }),
  breaks('router.run.body-forwarded', 'one-for-all', {
    alsoFails: along('what reaches the model comes back in its output', 'router.run.output-unchanged'),
    operations: run,
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, (body) => ('tallystick_number' in body ? { ...body, tallystick_number: 0 } : body)),
    ),
  }),
  breaks('router.run.open-input', 'closed', {
    operations: run,
    onReply: success(
      ECHO,
      when(
        (_, seen) => Object.keys(sentBody(seen)).some((name) => name.startsWith('tallystick')),
        (answer, seen) => refused(answer, seen, 400, 'badInput'),
      ),
    ),
  }),
  breaks('router.run.schema-valid-not-invalid-input', 'minimal-refused', {
    operations: run,
    onReply: success(
      'mock/ok',
      when(
        (_, seen) => Object.keys(sentBody(seen)).length < 2,
        (answer, seen) => refused(answer, seen, 400, 'badInput'),
      ),
    ),
  }),
];

const badInputs: readonly Deviation[] = [
  breaks('router.run.body-required', 'runs', {
    operations: run,
    onReply: when(
      (answer, seen) => answer.status === 400 && seen.request.raw.body.length === 0,
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.run.malformed-json', '500', {
    operations: run,
    onReply: when(isMalformed, (answer, seen) => refused(answer, seen, 500, 'internal')),
  }),
  breaks('router.run.malformed-json', 'runs', {
    operations: run,
    onReply: when(isMalformed, (answer) => withJson(answer, 200, {})),
  }),
  breaks('router.run.malformed-json', 'comma-taken', {
    operations: run,
    onReply: when(
      (answer, seen) =>
        isMalformed(answer, seen) && Buffer.from(seen.request.raw.body).toString().endsWith(',}'),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.run.malformed-json', 'without-schema', {
    operations: run,
    onReply: when(
      (answer, seen) => isMalformed(answer, seen) && pathId(seen) === 'mock/no-schema',
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.run.non-object-body', 'runs', {
    operations: run,
    onReply: when(
      (answer, seen) => {
        const body = seen.request.body();
        return (
          answer.status === 400 &&
          body.kind === 'json' &&
          (typeof body.value !== 'object' || Array.isArray(body.value))
        );
      },
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.run.schema-is-enforced', 'unchecked', {
    operations: run,
    replaces: { router: schemaUnchecked },
  }),
  breaks('router.run.404-model-not-found', 'bad-input', {
    operations: run,
    onReply: when(
      (answer, seen) => isUnknown(answer, seen) && pathId(seen) === 'mock/no-such-model' && !isKeyed(seen),
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.run.404-unknown-provider', '403', {
    operations: run,
    onReply: when(
      (answer, seen) => isUnknown(answer, seen) && !pathId(seen).startsWith('mock/'),
      (answer, seen) => refused(answer, seen, 403, 'noAccess'),
    ),
  }),
  breaks('router.run.404-suggestions-max3', 'five', {
    operations: run,
    replaces: { router: mostSuggested(5) },
  }),
  breaks('router.run.404-suggestions-visible', 'hidden', {
    operations: run,
    replaces: { router: unreleasedSuggested },
  }),
];

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

function isUnknown(answer: Answer, seen: DeviationView): boolean {
  return answer.status === 404 && isWellFormed(seen);
}

function isKeyed({ request }: DeviationView): boolean {
  return request.header('idempotency-key') !== undefined;
}
