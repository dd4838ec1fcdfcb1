import type { Seen, Send, Trial } from '../trial.ts';

const draft = { slug: 'trial', question: 'A trial?', topic: 'schools', options: ['yes', 'no', 'other'] };
const another = { Authorization: 'Bearer token-of-the-school' };

const prepare = async (send: Send, more: object = {}, headers = {}): Promise<number> =>
  (await send('POST /preparePoll', { ...draft, ...more }, headers)).json.poll_id;
const opened = async (send: Send, more: object = {}): Promise<number> => {
  const id = await prepare(send, more);
  await send('POST /openPoll', { poll_id: id });
  return id;
};
const vote = (send: Send, id: number, more: object = {}, headers = {}): Promise<Seen> =>
  send('POST /castVote', { poll_id: id, voter: 'ada', option: 'yes', ...more }, headers);
const get = async (send: Send, id: number): Promise<Seen> => send(`GET /getPoll/${id}`);
/** Prepares polls until there are as many as may be: three count from the beginning. */
const fill = async (send: Send): Promise<void> => {
  for (let count = 3; count < 12; count += 1) await prepare(send, { slug: `filler-${count}` });
};
const isFull = async (send: Send): Promise<boolean> =>
  (await send('POST /preparePoll', { ...draft, slug: 'one-more' })).status === 429;

/** For each fault that the suite does not notice, calls that show it. */
export const pollTrials: Readonly<Record<string, Trial>> = {
  'total-without-filters': async (send) => (await send('GET /listPolls?topic=traffic')).json.meta.total === 1,
  'more-after-full-page': async (send) => (await send('GET /listPolls?per_page=4')).json.meta.more === false,
  'link-loses-filter': async (send) => {
    const { headers } = await send('GET /listPolls?topic=culture&per_page=1');
    return headers.get('link')?.includes('topic=culture') === true;
  },
  'state-filter-shows-discarded': async (send) => {
    const id = await prepare(send);
    await send(`POST /discardPoll/${id}`);
    const { json } = await send('GET /listPolls?state=draft');
    return json.entries.every((one: { poll_id: number }) => one.poll_id !== id);
  },
  'topic-replaces-state': async (send) =>
    (await send('GET /listPolls?topic=traffic&state=draft')).json.entries.length === 0,
  'slug-race': async (send) => {
    const both = await Promise.all([send('POST /preparePoll', draft), send('POST /preparePoll', draft)]);
    return both.filter(({ status }) => status === 201).length === 1;
  },
  'one-poll-too-many': async (send) => {
    await fill(send);
    return isFull(send);
  },
  'closed-polls-count': async (send) => {
    await fill(send);
    await send('POST /closePoll', { poll_id: 5 });
    return !(await isFull(send));
  },
  'bound-over-all-callers': async (send) => {
    await fill(send);
    const { status } = await send('POST /preparePoll', draft, another);
    return status === 201;
  },
  'discarded-polls-count': async (send) => {
    await fill(send);
    await send('POST /discardPoll/4');
    return !(await isFull(send));
  },
  'restored-without-votes': async (send) => {
    await send('POST /discardPoll/2');
    await send('POST /restorePoll/2');
    return (await get(send, 2)).json.vote_count === 3;
  },
  'restored-forgets-opening': async (send) => {
    await send('POST /discardPoll/2');
    await send('POST /restorePoll/2');
    return (await get(send, 2)).json.opened_at !== null;
  },
  'discarded-again': async (send) => {
    await send('POST /discardPoll/4');
    return (await send('POST /discardPoll/4')).status === 410;
  },
  'refusal-spends-key': async (send) => {
    await vote(send, 2, { option: 'neither' }, { 'Vote-Key': 'k' });
    return (await vote(send, 2, { option: 'old' }, { 'Vote-Key': 'k' })).status === 201;
  },
  'vote-keys-race': async (send) => {
    const key = { 'Vote-Key': 'k' };
    const both = await Promise.all([
      vote(send, 2, { option: 'old', voter: 'ada' }, key),
      vote(send, 2, { option: 'old', voter: 'bea' }, key),
    ]);
    return both.filter(({ status }) => status === 201).length === 1;
  },
  'other-caller-closes': async (send) =>
    (await send('POST /closePoll', { poll_id: 5 }, another)).status === 403,
  'other-caller-reads-tally': async (send) => (await send('GET /tally/2', undefined, another)).status === 403,
  'draft-closes': async (send) => (await send('POST /closePoll', { poll_id: 4 })).status === 409,
  'late-question': async (send) => {
    await send('POST /amendPoll', { poll_id: 3, question: 'Late?' });
    return (await get(send, 3)).json.question !== 'Late?';
  },
  'refused-amendment-stored': async (send) => {
    await send('POST /amendPoll', { poll_id: 2, question: 'Half?', topic: 'nothing' });
    return (await get(send, 2)).json.question !== 'Half?';
  },
  'question-in-bytes': async (send) =>
    (await send('POST /preparePoll', { ...draft, question: 'é'.repeat(200) })).status === 201,
  'no-votes-null': async (send) => Array.isArray((await send('GET /listVotes/4')).json.entries),
  'large-id-fails': async (send) => (await get(send, 3_000_000_000)).status === 404,
  'withdrawn-weight-stays': async (send) => {
    await send('POST /withdrawVote', { vote_id: 1 });
    return (await send('GET /tally/2')).json.weight === 4;
  },
  'share-cut-off': async (send) => {
    const id = await opened(send);
    await vote(send, id, { voter: 'ada', option: 'yes', weight: 2 });
    await vote(send, id, { voter: 'bea', option: 'no', weight: 1 });
    return (await send(`GET /tally/${id}`)).json.options[0].share === 66.7;
  },
  'unknown-option-counts': async (send) => {
    await vote(send, 2, { option: 'neither' });
    return (await get(send, 2)).json.vote_count === 3;
  },
};
