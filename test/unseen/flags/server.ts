import type { Clock, Transport } from '../../../conformance/index.ts';
import {
  canonical,
  isValid,
  pause,
  Refusal,
  serve,
  textOf,
  type Answer,
  type Call,
  type Thing,
} from '../wire.ts';
import { environmentView, type Environment } from './environment.ts';
import { checkSettings, defaults, evaluated, merged, tagOf, viewOf } from './flag.ts';
import type { Flag, Settings } from './flag.ts';
import { flagsOf } from './list.ts';
import { byPlace, pageOf, type Place } from './pages.ts';
import { checkConditions, isCurrentCopy } from './conditions.ts';

export const FLAGS = textOf('./flags/flags.openapi.yaml');
export const FLAGS_SHEET = textOf('./flags/flags.behaviour.yaml');

/** The same, where archiving and its way back need no If-Match. */
export const FLAGS_SHEET_FREE = FLAGS_SHEET.replace(', archiveFlag, unarchiveFlag]', ']');

/** The validator divides numbers with an error: the server looks at decimals itself. */
const checked = FLAGS.replaceAll(', multipleOf: 0.1', '');

const accounts: ReadonlyMap<string, string> = new Map([
  ['Bearer token-of-red', 'red'],
  ['Bearer token-of-blue', 'blue'],
]);

const mostEnvironments = 12;

/** A server of feature flags, with the faults that are named; `archivesByTag` is whether archiving needs If-Match. */
export function flagsServer(clock: Clock, faults: readonly string[] = [], archivesByTag = true): Transport {
  const has = (fault: string): boolean => faults.includes(fault);
  const environments = new Map<string, Environment>();
  const deleted = new Map<string, Environment>();
  let serial = 0;
  const next = (): number => (serial += 1);
  const now = (): string => new Date(clock.now()).toISOString();
  const ownerOf = (call: Pick<Call, 'header'>): string =>
    accounts.get(call.header('Authorization') ?? '') ?? '';

  const environmentOf = (call: Call): Environment => {
    const id = call.path['environmentId'] ?? '';
    const outlives = has('flags-outlive-environment') && ['readFlag', 'listFlags'].includes(call.operation);
    const found = environments.get(id) ?? (outlives ? deleted.get(id) : undefined);
    const isOpen =
      (has('other-account-switches') && call.operation === 'switchFlags') ||
      (has('other-account-audit') && call.operation === 'listAudit');
    if (found === undefined || (found.owner !== ownerOf(call) && !isOpen))
      throw new Refusal(404, 'not_found', 'There is no such environment.');
    return found;
  };

  const flagOf = (call: Call): Flag => {
    const found = environmentOf(call).flags.get(call.path['flagKey'] ?? '');
    if (found === undefined) throw new Refusal(404, 'not_found', 'There is no such flag.');
    return found;
  };

  const viewOfEnvironment = (one: Environment): Thing =>
    environmentView(one, has('flag-count-keeps-deleted') ? one.made : one.flags.size);

  const shown = (flag: Flag, status = 200, headers: Readonly<Record<string, string>> = {}): Answer => ({
    status,
    headers: { ETag: flag.tag, ...headers },
    json: viewOf(flag),
  });

  const enter = (flag: Flag, call: Call, action: string): void => {
    const entry = { id: `entry_${next()}`, action, by: ownerOf(call), at: now(), version: flag.version };
    flag.audit.unshift(entry);
    if (has('audit-keeps-ten')) flag.audit.splice(10);
  };

  const change = (flag: Flag, call: Call, action: string, keepsTag = false): void => {
    flag.version += 1;
    if (!keepsTag) flag.tag = tagOf(flag);
    flag.updatedAt = now();
    if (!(has('bulk-no-audit') && action === 'switched')) enter(flag, call, action);
  };

  const checkBody = (call: Call): void => {
    if (!isValid(checked, call.operation, call.body))
      throw new Refusal(400, 'invalid', 'The body is not valid.');
    const name = (call.body as Thing)['name'];
    if (has('name-in-utf16') && typeof name === 'string' && name.length > 60)
      throw new Refusal(400, 'invalid', 'The name is too long.');
  };

  const handlers: Readonly<Record<string, (call: Call) => Promise<Answer> | Answer>> = {
    listEnvironments: (call) => {
      const rows = [...environments.values()]
        .filter(({ owner }) => owner === ownerOf(call))
        .map((one) => ({ item: viewOfEnvironment(one), place: [one.serial, ''] as Place }));
      return pageOf(call, rows, { compare: byPlace(false), bound: `environments ${ownerOf(call)}` });
    },

    createEnvironment: async (call) => {
      checkBody(call);
      await pause(clock);
      const owner = ownerOf(call);
      const counted = [
        ...environments.values(),
        ...(has('deleted-environments-count') ? deleted.values() : []),
      ];
      if (counted.filter((one) => one.owner === owner).length >= mostEnvironments)
        throw new Refusal(409, 'too_many', 'The account has as many environments as it may have.');
      const at = next();
      const id = `env_${at.toString(36).padStart(4, '0')}`;
      const { name } = call.body as { name: string };
      const made: Environment = {
        id,
        serial: at,
        owner,
        name,
        createdAt: now(),
        flags: new Map(),
        made: 0,
        audits: new Map(),
      };
      environments.set(id, made);
      return { status: 201, headers: { Location: `/environments/${id}` }, json: viewOfEnvironment(made) };
    },

    readEnvironment: (call) => ({ status: 200, json: viewOfEnvironment(environmentOf(call)) }),

    deleteEnvironment: async (call) => {
      await pause(clock);
      const one = environmentOf(call);
      environments.delete(one.id);
      deleted.set(one.id, one);
      return { status: 204 };
    },

    listFlags: (call) => {
      const environment = environmentOf(call);
      return pageOf(call, ...flagsOf(call, environment.id, environment.flags.values(), has));
    },

    readFlag: (call) => {
      const flag = flagOf(call);
      if (isCurrentCopy(call, flag.tag)) return { status: 304, headers: { ETag: flag.tag } };
      return shown(flag);
    },

    putFlag: async (call) => {
      const environment = environmentOf(call);
      const key = call.path['flagKey'] ?? '';
      if (!/^[a-z][a-z0-9._-]{0,39}$/.test(key)) throw new Refusal(400, 'invalid', 'The key is not valid.');
      checkBody(call);
      await pause(clock);
      environmentOf(call);
      const flag = environment.flags.get(key);
      checkConditions(call, flag?.tag, true);
      if (flag?.archivedAt !== undefined) throw new Refusal(409, 'wrong_state', 'The flag is archived.');
      const settings = { ...defaults, ...(call.body as Settings) };
      if (flag !== undefined && has('refused-put-stored'))
        flag.settings = { ...flag.settings, name: settings.name, rollout: settings.rollout };
      checkSettings(settings);
      if (flag === undefined) {
        if (has('create-race')) await pause(clock);
        const at = now();
        const left = has('audit-outlives-flag') ? environment.audits.get(key) : undefined;
        const made: Flag = {
          key,
          serial: next(),
          settings,
          version: 1,
          tag: '',
          createdAt: at,
          updatedAt: at,
          archivedAt: undefined,
          audit: left ?? [],
        };
        made.tag = tagOf(made);
        enter(made, call, 'created');
        environment.flags.set(key, made);
        environment.audits.set(key, made.audit);
        environment.made += 1;
        return shown(made, 201, { Location: `/environments/${environment.id}/flags/${key}` });
      }
      const keptRollout = has('replace-keeps-rollout') && !('rollout' in (call.body as Thing));
      flag.settings = keptRollout ? { ...settings, rollout: flag.settings.rollout } : settings;
      change(flag, call, 'replaced');
      return shown(flag);
    },

    patchFlag: async (call) => {
      checkBody(call);
      await pause(clock);
      const flag = flagOf(call);
      checkConditions(call, flag.tag, false);
      if (flag.archivedAt !== undefined) throw new Refusal(409, 'wrong_state', 'The flag is archived.');
      const patch = call.body as Thing;
      let settings = merged(flag.settings, patch) as Settings;
      if (!isValid(checked, 'putFlag', settings))
        throw new Refusal(400, 'invalid', 'What the patch makes is not valid.');
      checkSettings(settings);
      if (has('labels-replaced-whole') && patch['labels'] !== undefined)
        settings = { ...settings, labels: merged({}, patch['labels']) as Settings['labels'] };
      if (has('description-null') && patch['description'] === null)
        settings = { ...settings, description: null };
      if (has('rollout-rounded-by-patch') && patch['rollout'] !== undefined)
        settings = { ...settings, rollout: Math.round(settings.rollout) };
      if (has('patch-race')) await pause(clock);
      if (canonical(flag.settings) === canonical(settings)) return shown(flag);
      const isOnlyRules = Object.keys(patch).every((name) => name === 'rules');
      flag.settings = settings;
      change(flag, call, 'patched', has('rules-keep-tag') && isOnlyRules);
      return shown(flag);
    },

    deleteFlag: async (call) => {
      await pause(clock);
      const flag = flagOf(call);
      checkConditions(call, flag.tag, false);
      environmentOf(call).flags.delete(flag.key);
      return { status: 204 };
    },

    archiveFlag: (call) => turned(call, 'archived'),
    unarchiveFlag: (call) => turned(call, 'unarchived'),

    listAudit: (call) => {
      const flag = flagOf(call);
      const rows = flag.audit.map((item, at) => ({ item, place: [at - flag.audit.length, ''] as Place }));
      return pageOf(call, rows, { compare: byPlace(false), bound: `audit ${flag.serial}` });
    },

    evaluateFlag: (call) => {
      checkBody(call);
      const flag = flagOf(call);
      const { subject, attributes = {} } = call.body as {
        subject: string;
        attributes?: Record<string, string>;
      };
      const read = has('subject-percent-fails') ? decodeURIComponent(subject) : subject;
      return {
        status: 200,
        json: evaluated(flag, call.path['environmentId'] ?? '', read, attributes, has),
      };
    },

    switchFlags: async (call) => {
      checkBody(call);
      await pause(clock);
      const environment = environmentOf(call);
      const { flags } = call.body as { flags: readonly { key: string; enabled: boolean; tag: string }[] };
      const results = flags.map(({ key, enabled, tag }): Thing => {
        const flag = environment.flags.get(key);
        if (flag === undefined) return { key, status: 404, code: 'not_found' };
        if (flag.tag !== tag) return { key, status: 412, code: 'stale', tag: flag.tag };
        if (flag.archivedAt !== undefined) return { key, status: 409, code: 'wrong_state', tag: flag.tag };
        if (flag.settings.enabled !== enabled) {
          flag.settings = { ...flag.settings, enabled };
          change(flag, call, 'switched');
        }
        return { key, status: 200, tag: flag.tag, flag: viewOf(flag) };
      });
      const told = has('bulk-drops-missing') ? results.filter(({ status }) => status !== 404) : results;
      return { status: 200, json: { results: told } };
    },
  };

  const turned = async (call: Call, action: 'archived' | 'unarchived'): Promise<Answer> => {
    await pause(clock);
    const flag = flagOf(call);
    if (archivesByTag) checkConditions(call, flag.tag, false);
    if ((flag.archivedAt !== undefined) === (action === 'archived'))
      throw new Refusal(409, 'wrong_state', `The flag is ${action} already.`);
    flag.archivedAt = action === 'archived' ? now() : undefined;
    if (has('unarchive-switches-off') && action === 'unarchived')
      flag.settings = { ...flag.settings, enabled: false };
    change(flag, call, action, has('archiving-keeps-tag'));
    return shown(flag);
  };

  return serve(checked, {
    admit: (call) => {
      if (ownerOf(call as Call) === '')
        throw new Refusal(401, 'no_credential', 'A token is needed.', { 'WWW-Authenticate': 'Bearer' });
    },
    handle: (call) => {
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(500, 'internal');
      return handler(call);
    },
    refused: ({ status, code, message, headers }) => ({ status, headers, json: { code, message } }),
    always: (_call, status) =>
      has('request-id-lost-on-304') && status === 304 ? {} : { 'X-Request-Id': `r-${next()}` },
  });
}
