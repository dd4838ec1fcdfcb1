import { canonical, pause, Refusal, type Answer, type Thing } from '../wire.ts';
import { eventsOf } from './events.ts';
import { recordedKeys } from './keys.ts';
import { cancel, isOpen, segmentsOf, shown, tagOf, tell, type Transcription } from './lives.ts';
import { pageOf } from './pages.ts';
import type { Handler } from './projects.ts';
import type { Project, Store } from './store.ts';
import { checkVersion, merged, picked, readOf } from './versions.ts';

const fixed = ['name', 'source', 'language', 'verbatim', 'offset_seconds', 'recorded_at', 'vocabulary'];
const changeable = ['label', 'notes', 'speakers'];

const most = 8;

/** The calls about transcriptions, by operation. */
export function transcriptionCalls(store: Store): Readonly<Record<string, Handler>> {
  const { clock, has } = store;
  const once = recordedKeys(clock, has);

  const checkName = (project: Project, name: unknown): void => {
    if (project.names.has(name)) throw new Refusal(409, 'name_taken', 'The name was used in this project.');
  };
  const checkBound = (owner: string): void => {
    if (store.runningOf(owner) >= most) {
      throw new Refusal(409, 'too_many_running', 'Too many transcriptions of the account run.');
    }
  };
  const accepted = (one: Transcription): Answer => {
    const json = shown(one, has);
    return { status: 202, headers: { Location: `/projects/${one.project}/transcriptions/${one.id}` }, json };
  };

  const listTranscriptions: Handler = (call, owner) => {
    const project = store.projectOf(call, owner);
    const { state, language, label, sort = '-submitted_at' } = call.query;
    const isShown = (one: Transcription): boolean =>
      !one.isGone || (has('deleted-in-filtered-list') && language !== undefined);
    const rows = project.transcriptions.filter(isShown).map((one) => {
      const item = shown(one, has);
      if (has('list-lacks-end-of-cancelled') && one.state === 'cancelled') delete item['ended_at'];
      const isWanted = [
        [state, one.state],
        [language, one.sent['language']],
        [label, one.changing['label']],
      ].every(([wanted, value]) => wanted === undefined || wanted === value);
      const by = sort.replace('-', '');
      const value = by === 'submitted_at' ? one.submittedAt : String(one.sent[by]);
      return { item, place: [value, one.serial] as const, isWanted };
    });
    return pageOf(call, rows, {
      has,
      path: `/projects/${project.id}/transcriptions`,
      owner,
      kept: ['state', 'language', 'label'],
      isDescending: sort.startsWith('-'),
      sort,
    });
  };

  const submitTranscription: Handler = (call, owner) => {
    const body = call.body as Thing;
    if ('callback_url' in body) throw new Refusal(422, 'reserved', 'The member callback_url is reserved.');
    if (
      has('empty-vocabulary-refused') &&
      (body['vocabulary'] as readonly string[] | undefined)?.length === 0
    ) {
      throw new Refusal(422, 'invalid_body', 'The vocabulary is empty.');
    }
    store.projectOf(call, owner);
    return once(call, owner, async () => {
      if (has('name-race')) checkName(store.projectOf(call, owner), body['name']);
      await pause(clock);
      const project = store.projectOf(call, owner);
      if (!has('name-race')) checkName(project, body['name']);
      checkBound(owner);
      const sent = { language: project.values['language'], verbatim: false, ...picked(body, fixed) };
      if (has('recorded-at-zone-lost') && 'recorded_at' in body) {
        Object.assign(sent, { recorded_at: String(body['recorded_at']).replace(/[+-]\d\d:\d\d$/, 'Z') });
      }
      return accepted(
        store.addTranscription(project, { sent, changing: picked(body, changeable), at: clock.now() }),
      );
    });
  };

  const retryTranscription: Handler = (call, owner) => {
    const { name } = call.body as Thing;
    store.transcriptionOf(call, owner);
    return once(call, owner, async () => {
      await pause(clock);
      const retried = store.transcriptionOf(call, owner);
      if (!['failed', 'cancelled'].includes(retried.state)) {
        throw new Refusal(409, 'wrong_state', `The transcription is ${retried.state}.`);
      }
      const project = store.projectOf(call, owner);
      checkName(project, name);
      if (!has('retry-beyond-bound')) checkBound(owner);
      const made = {
        sent: { ...retried.sent, name },
        changing: picked(retried.changing, ['label']),
        at: clock.now(),
        retried,
      };
      return accepted(store.addTranscription(project, made));
    });
  };

  const getTranscription: Handler = (call, owner) => {
    const one = store.transcriptionOf(call, owner);
    return readOf(call, one, shown(one, has));
  };

  const changeTranscription: Handler = (call, owner) => {
    const one = store.transcriptionOf(call, owner);
    const patch = picked(call.body, changeable);
    if (has('speakers-null-fails') && patch['speakers'] === null) throw new Error('No speakers.');
    if (has('empty-notes-ignored') && patch['notes'] === '') delete patch['notes'];
    const before = tagOf(one);
    if (has('refused-patch-merges-speakers') && 'speakers' in patch) change(one, picked(patch, ['speakers']));
    if (tagOf(one) === before) checkVersion(call, one, true);
    else checkVersion(call, { ...one, revision: one.revision - 1 }, true);
    change(one, patch);
    return { status: 200, headers: { ETag: tagOf(one) }, json: shown(one, has) };
  };
  const change = (one: Transcription, patch: Thing): void => {
    const values = merged(one.changing, patch, has('nested-null-stays')) as Thing;
    const speakers = (values['speakers'] ?? {}) as Thing;
    if (Object.keys(speakers).length > 20) {
      throw new Refusal(422, 'invalid_body', 'There are more than 20 speakers.');
    }
    if (canonical(values) === canonical(one.changing)) {
      if (has('same-patch-new-tag')) one.revision += 1;
      return;
    }
    one.changing = values;
    one.revision += 1;
    tell(one, has);
  };

  const deleteTranscription: Handler = (call, owner) => {
    const one = store.transcriptionOf(call, owner);
    if (isOpen(one) || !has('ended-deleted-by-old-version')) checkVersion(call, one, false);
    store.removeTranscription(store.projectOf(call, owner), one);
    return { status: 204 };
  };

  const cancelTranscription: Handler = (call, owner) => {
    const one = store.transcriptionOf(call, owner);
    const isAgain = has('second-cancel-moves-end') && one.state === 'cancelled';
    if (!isOpen(one) && !isAgain) {
      throw new Refusal(409, 'wrong_state', `The transcription is ${one.state}.`);
    }
    cancel(one, clock.now(), has);
    return { status: 200, json: shown(one, has) };
  };

  const watchTranscription: Handler = (call, owner) => {
    const one = store.transcriptionOf(call, owner);
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
      stream: eventsOf(one, clock, has, call.signal),
    };
  };

  const listSegments: Handler = (call, owner) => {
    const one = store.transcriptionOf(call, owner);
    if (one.state !== 'completed') {
      throw new Refusal(409, 'not_completed', `The transcription is ${one.state}.`);
    }
    const { speaker } = call.query;
    const rows = segmentsOf(one, has).map((item) => ({
      item,
      place: ['', Number(item['number'])] as const,
      isWanted: speaker === undefined || item['speaker'] === speaker,
    }));
    const path = `/projects/${one.project}/transcriptions/${one.id}/segments`;
    return pageOf(call, rows, { has, path, owner, kept: ['speaker'] });
  };

  return {
    listTranscriptions,
    submitTranscription,
    getTranscription,
    changeTranscription,
    deleteTranscription,
    cancelTranscription,
    retryTranscription,
    watchTranscription,
    listSegments,
  };
}
