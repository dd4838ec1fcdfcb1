import { isJson } from '../../contract/judge/body-format.ts';
import type { Contract, Operation, Schema } from '../../contract/model.ts';
import { admitThing, type CapacityPolicy } from '../../contract/policies/capacity.ts';
import { uniquenessClaim } from '../../contract/policies/uniqueness.ts';
import { mayLack, propertyAt } from '../../contract/schemas/schema-parts.ts';
import { Refused } from '../../engine/decision.ts';
import { TOO_MANY_THINGS } from '../../engine/full.ts';
import type { LooseReply, ServerCall, ServerRequest } from '../../engine/handler.ts';
import { inputStatus, Refusal, statedRefusal } from '../../engine/refusal.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';
import type { Call } from '../call/call.ts';
import { readAnswerChoice } from '../samples/answer-choice.ts';
import { pageOfExample } from '../samples/example-pages.ts';
import type { Clock } from '../state/clock.ts';
import type { EventStreams } from './event-streams.ts';
import type { ExampleVersions } from './example-versions.ts';
import { completed, replyOf } from './messages.ts';
import type { ResourceCall } from './resource-access.ts';
import type { Resources } from './resources.ts';
import type { Running } from './running.ts';
import type { Tables } from './tables.ts';
import { beforeWork } from './work.ts';

/** What answers come from. */
export interface AnswerParts {
  readonly clock: Clock;
  readonly resources: Resources;
  readonly streams: EventStreams;
  readonly tables: Tables;
  readonly versions: ExampleVersions;
  /** The document in which references are resolved. */
  readonly root: Contract['document']['root'];
  /** Whether the engine sends a header by itself. */
  readonly isOwn: (name: string) => boolean;
}

/** A call of a resource, as the engine knows it. */
export function askedOf(
  { clock }: Pick<AnswerParts, 'clock'>,
  input: Readonly<Record<string, unknown>>,
  { request, caller }: Pick<ServerCall, 'request' | 'caller'>,
): Omit<ResourceCall, 'note'> {
  return { input, target: request.target, now: clock.now(), caller: caller.id };
}

/**
 * The handler of an operation: the resource or the event stream of the sheet answers, else an example of the document.
 */
export function handlerOf(
  api: ServedApi,
  operation: ServedOperation,
  running: ReadonlyMap<ServerRequest, Running>,
  parts: AnswerParts,
): (input: unknown, served: ServerCall) => Promise<LooseReply> {
  const { clock, root, isOwn, resources, streams, tables, versions } = parts;
  return async (input: unknown, served: ServerCall): Promise<LooseReply> => {
    const { request, signal } = served;
    const run = running.get(request as ServerRequest);
    if (run === undefined) throw new Error('the call has ended');
    await beforeWork(api, operation, run.call.facts, { clock, signal });
    const { call } = run;
    const asked = (): Omit<ResourceCall, 'note'> =>
      askedOf(parts, input as Readonly<Record<string, unknown>>, served);
    const target = call.request.path + call.request.search;
    try {
      const isExample = asksForExample(call);
      if (!isExample) requireFree(api, operation, parts, asked());
      const made = isExample
        ? undefined
        : resources.answer(operation.id, tables, {
            ...asked(),
            note: (decision) => {
              call.note('resource', decision);
            },
          });
      if (made !== undefined) return completed(made, call, isOwn);
      const events = isExample
        ? undefined
        : streams.reply(operation.id, {
            ...{ clock, signal },
            thing: () => resources.thingOf(operation.id, tables, asked()),
          });
      if (events !== undefined) return completed(events, call, isOwn);
      run.example = await run.next();
      const schema = call.operation && jsonSchemaOf(call.operation, 200);
      const needs = (member: string): boolean =>
        propertyAt(schema, member, root).length > 0 && !mayLack(schema, member, root);
      const page = pageOfExample(operation.pagination, run.example, { input, target, needs });
      const reply = replyOf(page, isOwn);
      return versions.shown(operation, request.target, reply);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const { noSuchPage } = operation.pagination ?? {};
      if (error instanceof RangeError && noSuchPage !== undefined)
        throw statedRefusal(api, noSuchPage, reason);
      if (error instanceof RangeError)
        throw new Refused({
          cause: 'badInput',
          message: reason,
          status: inputStatus(api, operation, 'badInput') ?? 400,
        });
      run.call.note('answer', `the mock failed: ${reason}`);
      throw error;
    }
  };
}

// --- internal ---

/**
 * The engine has checked unique values and the number of things before, but another call may have changed them since: from
 * here on, nothing is waited for until the thing is stored.
 *
 * @throws {Refusal} as the sheet states
 */
function requireFree(
  api: ServedApi,
  { id, capacity, unique = [] }: ServedOperation,
  { resources, tables }: Pick<AnswerParts, 'resources' | 'tables'>,
  asked: Omit<ResourceCall, 'note'>,
): void {
  if (!resources.isAmong(id)) return;
  const bound = capacity?.things;
  if (bound !== undefined && !admitThing(resources.existing(id, bound, tables, asked), bound))
    throw statedRefusal(api, capacity as CapacityPolicy, TOO_MANY_THINGS);
  for (const { member, refusal } of unique) {
    const { everywhere } = uniquenessClaim({ member, within: [] }, asked.input['body'], () => '');
    if (everywhere !== '' && resources.isTaken(id, member, tables, asked))
      throw statedRefusal(api, refusal, `${member} is given already.`);
  }
}

function jsonSchemaOf({ responses }: Operation, status: number): Schema | undefined {
  const declared = responses.find((response) => response.status === String(status));
  return declared?.content.find(({ mediaType }) => isJson(mediaType))?.schema;
}

/** Whether the request or a scenario selects an answer of the document. */
function asksForExample({ request, facts }: Call): boolean {
  if (facts.work?.kind === 'status') return true;
  const choice = readAnswerChoice(request);
  return (
    typeof choice === 'string' ||
    choice.code !== undefined ||
    choice.example !== undefined ||
    choice.dynamic === true
  );
}
