import type { Clock, Transport } from '../../../conformance/index.ts';
import { type Answer, type Call, isValid, pause, Refusal, serve, textOf, type Thing } from '../wire.ts';

export const POLLS = textOf('polls/polls.openapi.yaml');
/** The same contract, where a discarding is a DELETE. */
export const POLLS_WITH_DELETE = POLLS.replace(
  'post:\n      operationId: discardPoll',
  'delete:\n      operationId: discardPoll',
);
export const POLLS_SHEET = textOf('polls/polls.behaviour.yaml');

/** A poll of the second account, and polls of the first, that are there from the beginning. */
export const FOREIGN_POLL = 1;
export const OPEN_POLL = 2;
export const DRAFT_POLL = 4;
export const CLOSABLE_POLL = 5;

const accounts: Readonly<Record<string, string>> = {
  'token-of-the-office': 'office',
  'token-of-the-school': 'school',
};
const most = 12;

interface Poll {
  readonly id: number;
  readonly account: string;
  isDiscarded: boolean;
  facts: Thing;
  votes: Vote[];
  /** Votes that were counted and are not there, and weight likewise. */
  extraVotes: number;
  extraWeight: Record<string, number>;
}
type Vote = { readonly vote_id: number; readonly poll_id: number } & {
  readonly voter: string;
  readonly option: string;
  readonly weight: number;
  readonly cast_at: string;
};

/** A server of polls that keeps its contract, but for the faults that are named. */
export function pollsServer(
  clock: Clock,
  faults: readonly string[] = [],
  document: string = POLLS,
): Transport {
  const has = (name: string): boolean => faults.includes(name);
  const polls = new Map<number, Poll>();
  /** Keys of votes, by account, with the time of their use. */
  const keys = new Map<string, number>();
  const takenSlugs = new Set<string>();
  let pollCount = 0;
  let voteCount = 0;
  let answers = 0;
  let lastTime = 0;

  const now = (): string => {
    lastTime = Math.max(clock.now(), lastTime + 1);
    return new Date(lastTime).toISOString();
  };
  const accountOf = (call: Pick<Call, 'header'>): string => {
    const [, token] = /^bearer +(\S+)$/i.exec(call.header('Authorization') ?? '') ?? [];
    const account = accounts[token ?? ''];
    if (account === undefined) throw new Refusal(401, 'no_token', 'The token is missing or not known.');
    return account;
  };
  const pollOf = (
    call: Call,
    id: unknown,
    options: { readonly isDiscardedToo?: boolean; readonly isAnybody?: boolean } = {},
  ): Poll => {
    if (has('large-id-fails') && Number(id) > 2_147_483_647) throw new Error('out of range');
    const poll = /^\d+$/.test(String(id)) ? polls.get(Number(id)) : undefined;
    if (poll === undefined) throw new Refusal(404, 'no_such_poll', 'There is no such poll.');
    if (poll.account !== accountOf(call) && options.isAnybody !== true)
      throw new Refusal(403, 'not_yours', 'The poll belongs to another caller.');
    if (poll.isDiscarded && options.isDiscardedToo !== true)
      throw new Refusal(410, 'discarded', 'The poll was discarded.');
    return poll;
  };
  const validBody = (call: Call): Thing => {
    if (!isValid(POLLS, call.operation, call.body))
      throw new Refusal(400, 'invalid', 'The body is not valid.');
    return call.body as Thing;
  };
  const shown = (poll: Poll): Thing => ({
    poll_id: poll.id,
    ...poll.facts,
    vote_count: poll.votes.length + poll.extraVotes,
  });

  const pageOf = (
    call: Call,
    path: string,
    all: readonly Thing[],
    options: { readonly filters?: readonly string[]; readonly unfiltered?: number },
  ): Answer => {
    const page = Number(call.query['page'] ?? 1);
    if (page < 1) throw new Refusal(400, 'bad_page', 'There is no such page.');
    const asked = Number(call.query['per_page'] ?? 10);
    const size = Math.min(asked, 30);
    const isEarly = has('third-page-starts-early') && call.operation === 'listPolls' && page > 2;
    const from = (page - 1) * size - (isEarly ? 1 : 0);
    const entries = all.slice(from, from + size);
    const isFull = has('more-after-full-page') && entries.length === size;
    const more = isFull || from + entries.length < all.length;
    const total =
      has('total-without-filters') && options.unfiltered !== undefined ? options.unfiltered : all.length;
    const query = new URLSearchParams({ page: String(page + 1), per_page: String(size) });
    for (const name of options.filters ?? []) {
      const value = call.query[name];
      if (value !== undefined && !has('link-loses-filter')) query.set(name, value);
    }
    const isBare = has('no-total-header-on-empty') && entries.length === 0 && call.operation === 'listPolls';
    return {
      status: 200,
      headers: {
        ...(isBare ? {} : { 'X-Total-Count': String(total) }),
        ...(from + entries.length < all.length ? { Link: `<${path}?${String(query)}>; rel="next"` } : {}),
      },
      json: {
        entries: has('no-votes-null') && call.operation === 'listVotes' && total === 0 ? null : entries,
        meta: { page, per_page: has('page-size-as-asked') ? asked : size, total, more },
      },
    };
  };

  const add = (account: string, body: Thing): Poll => {
    const { slug, question, topic, options } = body;
    pollCount += 1;
    const poll: Poll = {
      id: pollCount,
      account,
      isDiscarded: false,
      facts: {
        slug,
        question,
        ...(topic === undefined ? {} : { topic }),
        options,
        state: 'draft',
        created_at: now(),
        opened_at: null,
        closed_at: null,
      },
      votes: [],
      extraVotes: 0,
      extraWeight: {},
    };
    polls.set(poll.id, poll);
    return poll;
  };
  const open = (poll: Poll): void => {
    poll.facts = { ...poll.facts, state: 'open', opened_at: now() };
  };
  const close = (poll: Poll): void => {
    const at = now();
    poll.facts = { ...poll.facts, state: 'closed', opened_at: poll.facts['opened_at'] ?? at, closed_at: at };
  };
  const wrongState = (what: string): Refusal => new Refusal(409, 'wrong_state', what);

  const vote = (poll: Poll, body: Thing): Vote => {
    voteCount += 1;
    const made: Vote = {
      vote_id: voteCount,
      poll_id: poll.id,
      voter: String(body['voter']),
      option: String(body['option']),
      weight: Number(body['weight'] ?? 1),
      cast_at: now(),
    };
    poll.votes.push(made);
    return made;
  };

  /** Runs a call under its key. A second use of the key is refused; a call that was refused frees it. */
  const claim = async (call: Call, run: () => Answer): Promise<Answer> => {
    const key = call.header('Vote-Key');
    if (key === undefined) {
      await pause(clock);
      return run();
    }
    const place = `${accountOf(call)} ${key}`;
    const used = keys.get(place);
    if (used !== undefined && clock.now() - used <= 24 * 3_600_000)
      throw new Refusal(409, 'key_used', 'The key was used before.');
    if (!has('vote-keys-race')) keys.set(place, clock.now());
    await pause(clock);
    keys.set(place, clock.now());
    try {
      return run();
    } catch (error) {
      if (!has('refusal-spends-key')) keys.delete(place);
      throw error;
    }
  };

  const handlers: Record<string, (call: Call) => Promise<Answer> | Answer> = {
    async preparePoll(call) {
      const account = accountOf(call);
      const isValidBody =
        isValid(POLLS, 'preparePoll', call.body) &&
        !(has('question-in-bytes') && Buffer.byteLength(String((call.body as Thing)['question'])) > 280);
      if (!isValidBody) {
        const refused = (call.body as Thing | null)?.['slug'];
        if (has('refused-slug-taken') && typeof refused === 'string') takenSlugs.add(refused);
        throw new Refusal(400, 'invalid', 'The body is not valid.');
      }
      const body = call.body as Thing;
      const judge = (): void => {
        const isTaken = [...polls.values()].some(({ facts }) => facts['slug'] === body['slug']);
        if (isTaken || takenSlugs.has(String(body['slug'])))
          throw new Refusal(409, 'slug_taken', 'The slug is in use.');
      };
      judge();
      await (body['question'] === 'Slow?' ? clock.sleep(1500) : pause(clock));
      if (!has('slug-race')) judge();
      const counted = [...polls.values()].filter(
        (poll) =>
          (poll.account === account || has('bound-over-all-callers')) &&
          (!poll.isDiscarded || has('discarded-polls-count')) &&
          (poll.facts['state'] !== 'closed' || has('closed-polls-count')),
      ).length;
      if (counted >= most + (has('one-poll-too-many') ? 1 : 0))
        throw new Refusal(429, 'too_many_polls', 'Close or discard one of your polls.');
      return { status: 201, json: shown(add(account, body)) };
    },
    listPolls(call) {
      const { state, topic } = call.query;
      const own = [...polls.values()].filter(({ account }) => account === accountOf(call));
      const isStateIgnored = has('topic-replaces-state') && topic !== undefined;
      const found = own
        .filter(
          ({ isDiscarded }) => !isDiscarded || (has('state-filter-shows-discarded') && state !== undefined),
        )
        .filter(({ facts }) => state === undefined || isStateIgnored || facts['state'] === state)
        .filter(({ facts }) => topic === undefined || facts['topic'] === topic);
      const unfiltered = own.filter(({ isDiscarded }) => !isDiscarded).length;
      return pageOf(call, '/listPolls', found.map(shown), { filters: ['state', 'topic'], unfiltered });
    },
    getPoll: (call) => ({ status: 200, json: shown(pollOf(call, call.path['poll_id'])) }),
    amendPoll(call) {
      const body = call.body as Thing | null;
      if (!isValid(POLLS, 'amendPoll', body)) {
        const isQuestion = isValid(POLLS, 'amendPoll', {
          poll_id: body?.['poll_id'],
          question: body?.['question'],
        });
        if (has('refused-amendment-stored') && isQuestion) {
          const poll = pollOf(call, body?.['poll_id']);
          poll.facts = { ...poll.facts, question: body?.['question'] };
        }
        throw new Refusal(400, 'invalid', 'The body is not valid.');
      }
      const { poll_id: id, question, topic } = body as Thing;
      const poll = pollOf(call, id);
      if (poll.facts['state'] === 'closed') {
        if (has('late-question') && question !== undefined) poll.facts = { ...poll.facts, question };
        throw wrongState('A closed poll stays as it is.');
      }
      poll.facts = {
        ...poll.facts,
        ...(question === undefined ? {} : { question }),
        ...(topic === undefined ? {} : { topic }),
      };
      return { status: 200, json: shown(poll) };
    },
    openPoll(call) {
      const poll = pollOf(call, validBody(call)['poll_id']);
      if (poll.facts['state'] !== 'draft') throw wrongState('Only a draft can be opened.');
      open(poll);
      return { status: 200, json: shown(poll) };
    },
    closePoll(call) {
      const poll = pollOf(call, validBody(call)['poll_id'], { isAnybody: has('other-caller-closes') });
      const isDraft = has('draft-closes') && poll.facts['state'] === 'draft';
      if (poll.facts['state'] !== 'open' && !isDraft) throw wrongState('Only an open poll can be closed.');
      close(poll);
      return { status: 200, json: shown(poll) };
    },
    discardPoll(call) {
      const poll = pollOf(call, call.path['poll_id'], { isDiscardedToo: has('discarded-again') });
      poll.isDiscarded = true;
      if (has('restored-without-votes')) poll.votes = [];
      return { status: 204 };
    },
    restorePoll(call) {
      const poll = pollOf(call, call.path['poll_id'], { isDiscardedToo: true });
      if (!poll.isDiscarded) throw wrongState('The poll is not discarded.');
      poll.isDiscarded = false;
      if (has('restored-forgets-opening')) poll.facts = { ...poll.facts, opened_at: null };
      return { status: 200, json: shown(poll) };
    },
    castVote: (call) => {
      accountOf(call);
      return claim(call, () => {
        const body = validBody(call);
        if ('proxy' in body) throw new Refusal(422, 'reserved', 'proxy is for a later version.');
        const poll = pollOf(call, body['poll_id']);
        if (poll.facts['state'] !== 'open') throw wrongState('The poll is not open.');
        if (!(poll.facts['options'] as readonly unknown[]).includes(body['option'])) {
          if (has('unknown-option-counts')) poll.extraVotes += 1;
          throw new Refusal(422, 'no_such_option', 'The poll has no such option.');
        }
        if (poll.votes.some(({ voter }) => voter === body['voter']))
          throw new Refusal(409, 'already_voted', 'The voter has voted.');
        return { status: 201, json: vote(poll, body) };
      });
    },
    withdrawVote(call) {
      const { vote_id: id } = validBody(call);
      const poll = [...polls.values()].find(({ votes }) => votes.some((one) => one.vote_id === id));
      const found = poll?.votes.find((one) => one.vote_id === id);
      if (poll === undefined || found === undefined || poll.isDiscarded)
        throw new Refusal(404, 'no_such_vote', 'There is no such vote.');
      pollOf(call, poll.id);
      if (poll.facts['state'] !== 'open') throw wrongState('The poll is not open.');
      poll.votes = poll.votes.filter((one) => one !== found);
      if (has('withdrawn-weight-stays'))
        poll.extraWeight[found.option] = (poll.extraWeight[found.option] ?? 0) + found.weight;
      return { status: 204 };
    },
    listVotes(call) {
      const poll = pollOf(call, call.path['poll_id']);
      const { option } = call.query;
      const found = poll.votes.filter((vote) => option === undefined || vote.option === option);
      return pageOf(call, `/listVotes/${poll.id}`, found, { filters: ['option'] });
    },
    tally(call) {
      const poll = pollOf(call, call.path['poll_id'], { isAnybody: has('other-caller-reads-tally') });
      const counted = (poll.facts['options'] as readonly string[]).map((name) => {
        const votes = poll.votes.filter(({ option }) => option === name);
        const weight = votes.reduce((sum, vote) => sum + vote.weight, 0) + (poll.extraWeight[name] ?? 0);
        return { name, votes: votes.length, weight };
      });
      const weight = counted.reduce((sum, option) => sum + option.weight, 0);
      const options = counted.map((option) => {
        const tenths = weight === 0 ? 0 : (1000 * option.weight) / weight;
        return { ...option, share: (has('share-cut-off') ? Math.floor(tenths) : Math.round(tenths)) / 10 };
      });
      return { status: 200, json: { poll_id: poll.id, votes: poll.votes.length, weight, options } };
    },
  };

  add('school', { slug: 'school-lunch', question: 'Soup?', topic: 'schools', options: ['yes', 'no'] });
  const bridge = add('office', {
    slug: 'bridge',
    question: 'Which bridge?',
    topic: 'traffic',
    options: ['old', 'new'],
  });
  open(bridge);
  for (const voter of ['xan', 'yve', 'zoe']) vote(bridge, { voter, option: 'new', weight: 2 });
  const mural = add('office', {
    slug: 'mural',
    question: 'Which wall?',
    topic: 'culture',
    options: ['a', 'b'],
  });
  open(mural);
  close(mural);
  add('office', { slug: 'fountain', question: 'A fountain?', topic: 'culture', options: ['yes', 'no'] });
  open(add('office', { slug: 'lamps', question: 'Which lamps?', options: ['warm', 'cold', 'none'] }));

  return serve(document, {
    admit(call) {
      accountOf(call);
    },
    handle(call) {
      const handler = handlers[call.operation];
      if (handler === undefined) throw new Refusal(404, 'no_such_poll');
      return handler(call);
    },
    refused: ({ status, code, message, headers }) => ({
      status,
      headers,
      json: { error: { code, text: message } },
    }),
    always() {
      answers += 1;
      return { 'X-Request-Id': `request-${answers}` };
    },
  });
}
