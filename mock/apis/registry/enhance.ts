import { pathParameter } from '../../call/path-parameter.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import { jsonAnswer, type Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import type { EngineFinding } from '../../call/engine.ts';
import { callbackAddress, callbackObstacle } from './callback.ts';
import { refuse, storeOf, type Registry } from './context.ts';
import { accessRefusal, missingCredential } from './credentials.ts';
import { imageForm } from './image.ts';
import { bodyFault, misfitOf } from './misfits.ts';
import { bodyOf } from './publish-checks.ts';
import { PARTNER_FAILS } from './scenarios.ts';
import type { Task } from './stored-forms.ts';
import { TASK_MS, taskStatus } from './task.ts';

/** Starts a task of the partner, which proceeds with time (document 2, "POST /proxy/…/creative"). */
export function enhance(registry: Registry): Behaviour {
  return (call) => {
    const refusal =
      credentialRefusal(registry, call) ??
      accessRefusal(registry, call) ??
      partnerRefusal(registry, call) ??
      bodyRefusal(registry, call) ??
      memberRefusal(registry, call) ??
      partnerFailure(registry, call);
    return refusal ?? begin(registry, call);
  };
}

/** Prism's findings about members of the body. */
export function misfitMembers(_registry: Registry, { findings }: Call): readonly EngineFinding[] {
  return findings.filter(({ at }) => at.startsWith('body.'));
}

// --- internal ---

function credentialRefusal(registry: Registry, call: Call): Answer | undefined {
  const missing = missingCredential(registry, call);
  if (missing === undefined) return undefined;
  return refuse(registry, call, {
    status: registry.assume('A-50').noCredential,
    error: 'no_credential',
    message:
      missing === 'none' ? 'Send a bearer token or an API key.' : 'This credential cannot be used here.',
    because: 'A-50',
  });
}

function partnerRefusal(registry: Registry, call: Call): Answer | undefined {
  const { partners, otherRoutes } = registry.assume('A-54');
  if (new RegExp(`^(?:${partners})$`).test(pathParameter(call, 'partner'))) return undefined;
  const message = 'There is no such partner.';
  return refuse(registry, call, { status: otherRoutes, error: 'not_here', message, because: 'A-54' });
}

function bodyRefusal(registry: Registry, call: Call): Answer | undefined {
  const message = bodyFault(call);
  if (message === undefined) return undefined;
  return call.request.body().kind === 'oversize'
    ? refuse(registry, call, { status: 413, error: 'too_large', message, because: 'A-50' })
    : badBody(registry, call, message);
}

function memberRefusal(registry: Registry, call: Call): Answer | undefined {
  const body = bodyOf(call);
  const { required, outOfRange } = registry.assume('A-51');
  const [finding] = registry.mechanisms.misfitMembers(registry, call);
  if (finding !== undefined) {
    const { pointer, what } = misfitOf(finding);
    const status = isRange(finding) ? outOfRange : registry.assume('A-50').badBody;
    return badBody(registry, call, `${pointer} ${what}.`, status);
  }
  const missing = required.find((member) => !Object.hasOwn(body, member));
  if (missing !== undefined) return badBody(registry, call, `/${missing} must be there.`);
  const { image, webhook_url: webhook } = body;
  if (typeof image === 'string' && imageForm(image) === undefined)
    return badBody(registry, call, '/image must be Base64 or an HTTPS address.');
  if (typeof webhook === 'string' && callbackAddress(webhook) === undefined)
    return badBody(registry, call, '/webhook_url must be an HTTP or HTTPS address.');
  return undefined;
}

function badBody(
  registry: Registry,
  call: Call,
  message: string,
  status = registry.assume('A-50').badBody,
): Answer {
  return refuse(registry, call, { status, error: 'bad_request', message, because: 'A-50' });
}

const isRange = ({ keyword }: EngineFinding): boolean => ['minimum', 'maximum'].includes(keyword);

function partnerFailure(registry: Registry, call: Call): Answer | undefined {
  if (scenarioOf(call.facts) !== PARTNER_FAILS) return undefined;
  call.facts.scenario = PARTNER_FAILS;
  return refuse(registry, call, {
    status: registry.assume('A-50').partnerFailure,
    error: 'partner_failure',
    message: 'The partner failed.',
    because: 'A-50',
  });
}

function begin(registry: Registry, call: Call): Answer {
  const { assume, clock, profile } = registry;
  const { image: _notKept, ...given } = bodyOf(call);
  const task: Task = {
    id: registry.ids.uuid('task'),
    partner: pathParameter(call, 'partner'),
    startedAt: clock.now(),
    settings: { ...assume('A-51').defaults, ...given },
  };
  storeOf(registry, call).begin(task);
  registry.keep?.({ part: 'registry.task', namespace: call.facts.caller?.namespace ?? '', task });
  call.note('task', `${task.id} has begun`, 'A-52');
  const { webhook_url: webhook } = given;
  if (typeof webhook === 'string') announce(registry, call, task, webhook);
  const isOdd = profile === 'legal-but-odd';
  return jsonAnswer(200, {
    data: {
      generated: isOdd ? ['https://files.example.com/preview.jpg'] : [],
      status: assume('A-52').initial,
      task_id: task.id,
      ...(isOdd ? { queue: { ahead: 3 } } : {}),
    },
  });
}

/** The callback: off by default; if enabled, one call when the task is done (open point A-53). */
function announce(registry: Registry, call: Call, task: Task, webhook: string): void {
  const url = callbackAddress(webhook);
  if (url === undefined) return;
  const may = callbackObstacle(url, registry.options.webhooks);
  if (may !== 'yes') {
    call.note('callback', `not made: ${may}`, 'A-53');
    return;
  }
  call.note('callback', 'will be made when the task is done', 'A-53');
  const { clock, assume, options, sendCallback } = registry;
  const done = async (): Promise<void> => {
    await clock.sleep(TASK_MS, call.signal);
    const status = taskStatus(task, clock.now(), assume('A-52'));
    const generated = [`https://files.example.com/${task.id}.jpg`];
    const body = { task_id: task.id, status, generated };
    call.note('callback', await sendCallback(url, body, options.webhooks?.timeoutMs ?? CALLBACK_MS), 'A-53');
  };
  done().catch(() => {
    call.note('callback', 'not made: the mock was closed', 'A-53');
  });
}

/** The time limit of a callback, in real milliseconds. */
const CALLBACK_MS = 5_000;
