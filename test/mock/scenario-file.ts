import { parse } from 'yaml';
import { expect } from 'vitest';
import { durationMs } from '../../contract/policies/duration.ts';
import { createMock, virtualClock, type MockOptions } from '../../mock/index.ts';

/** One story, as test/scenarios/README.md describes it. */
export interface ScenarioFile {
  readonly title: string;
  readonly rules: readonly string[];
  readonly mock?: MockOptions;
  readonly steps: readonly Step[];
}

interface Step {
  readonly send?: string;
  readonly begin?: string;
  readonly await?: string;
  readonly drop?: string;
  readonly as?: string;
  readonly bearer?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly expect?: Expectation;
  readonly remember?: Readonly<Record<string, string>>;
  readonly wait?: string;
  readonly reset?: true;
  readonly dispatches?: Readonly<Record<string, number>>;
}

interface Expectation {
  readonly status?: number;
  readonly bucket?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly text?: string;
  readonly cut?: true;
}

interface Answered {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly cut: boolean;
}

export function readScenario(text: string): ScenarioFile {
  return parse(text) as ScenarioFile;
}

/** Runs a scenario file. A step with another result than expected fails the test and is named. */
export async function runScenario(story: ScenarioFile): Promise<void> {
  const clock = virtualClock({ auto: false });
  const mock = createMock({ ...story.mock, clock });
  await mock.ready();
  const remembered = new Map<string, string>();
  const open = new Map<string, { answer: Promise<Answered>; drop: () => void }>();
  const fill = (text: string): string =>
    text.replace(
      /\$\{(\w+)\}/g,
      (_whole, name: string) => remembered.get(name) ?? `(nothing remembered as ${name})`,
    );

  const send = (step: Step): { answer: Promise<Answered>; drop: () => void } => {
    const [method = '', target = ''] = fill(step.send ?? '').split(/ (.*)/s);
    const gone = new AbortController();
    const answer = mock
      .handle({
        method,
        target,
        rawHeaders: headersOf(step, fill),
        body: bodyOf(step, fill),
        signal: gone.signal,
      })
      .then(async ({ reply, settle }): Promise<Answered> => {
        const headers = new Map(reply.headers.map(([name, value]) => [name.toLowerCase(), value]));
        if (reply.cut === true) {
          settle('dropped');
          return { status: 0, headers, text: '', cut: true };
        }
        const text = await readAll(reply.body);
        settle('delivered');
        return { status: reply.status, headers, text, cut: false };
      });
    return {
      answer,
      drop: () => {
        gone.abort(new Error('the caller went away'));
      },
    };
  };

  for (const [index, step] of story.steps.entries()) {
    const name = `step ${String(index + 1)}: ${step.send ?? step.await ?? step.drop ?? ''}`;
    if (step.wait !== undefined) await clock.advance(durationMs(step.wait));
    if (step.reset === true) mock.reset();
    if (step.dispatches !== undefined) expect(mock.dispatches(), name).toMatchObject(step.dispatches);
    const begun = step.drop ?? step.await;
    if (step.drop !== undefined) open.get(step.drop)?.drop();
    if (step.begin !== undefined) {
      open.set(step.begin, send(step));
      // The call is under way, not merely asked for.
      await clock.advance(0);
      continue;
    }
    const answer =
      begun === undefined
        ? step.send === undefined
          ? undefined
          : await send(step).answer
        : await open.get(begun)?.answer;
    if (answer === undefined) continue;
    if (step.expect !== undefined) check(answer, step.expect, name, fill);
    for (const [as, pointer] of Object.entries(step.remember ?? {})) {
      const found = pointer.startsWith('/')
        ? valueAt(JSON.parse(answer.text), pointer)
        : answer.headers.get(pointer.toLowerCase());
      remembered.set(as, String(found));
    }
  }
  const findings = mock.journal.entries().flatMap(({ responseFindings }) => responseFindings);
  expect(findings, 'what Prism found wrong with the answers').toStrictEqual([]);
  mock.close();
}

// --- internal ---

function headersOf(step: Step, fill: (text: string) => string): string[] {
  const headers: string[] = step.headers?.['Host'] === undefined ? ['Host', 'mock.localhost'] : [];
  if (step.bearer !== undefined) headers.push('Authorization', `Bearer ${step.bearer}`);
  else if (step.as !== 'nobody') headers.push('X-API-Key', step.as ?? 'service-mock-ok');
  if (step.key !== undefined) headers.push('Idempotency-Key', step.key);
  if (step.json !== undefined || step.text !== undefined) headers.push('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.push(name, fill(value));
  return headers;
}

function bodyOf(step: Step, fill: (text: string) => string): Uint8Array {
  const text = step.text ?? (step.json === undefined ? '' : JSON.stringify(step.json));
  return Buffer.from(fill(text));
}

async function readAll(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function check(answer: Answered, wanted: Expectation, name: string, fill: (text: string) => string): void {
  if (wanted.cut === true) expect(answer.cut, `${name}: cut`).toBe(true);
  if (wanted.status !== undefined)
    expect(answer.status, `${name}: status, with ${answer.text}`).toBe(wanted.status);
  if (wanted.bucket !== undefined) {
    expect(answer.headers.get('x-service-error-type'), `${name}: bucket`).toBe(wanted.bucket);
    if (answer.status !== 422)
      expect(JSON.parse(answer.text), name).toMatchObject({ error_type: wanted.bucket });
  }
  for (const [header, value] of Object.entries(wanted.headers ?? {})) {
    const found = answer.headers.get(header.toLowerCase());
    if (value === 'absent') expect(found, `${name}: ${header}`).toBeUndefined();
    else if (value === 'present') expect(found, `${name}: ${header}`).toBeTruthy();
    else expect(found, `${name}: ${header}`).toBe(fill(value));
  }
  if (wanted.json !== undefined) expect(JSON.parse(answer.text), `${name}: body`).toMatchObject(wanted.json);
  if (wanted.text !== undefined) expect(answer.text, `${name}: bytes`).toBe(fill(wanted.text));
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (at as Readonly<Record<string, unknown>>)[part], value);
}
