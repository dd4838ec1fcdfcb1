import { CLOSABLE_POLL, DRAFT_POLL, FOREIGN_POLL, OPEN_POLL } from './server.ts';

/** What a tester of the polls knows beyond the contract. */
export const POLL_FIXTURES = {
  cred: { secondAccount: 'token-of-the-school', refused: 'token-of-nobody' },
  parameters: { poll_id: OPEN_POLL },
  bodies: {
    castVote: { poll_id: OPEN_POLL, voter: 'ada', option: 'old', weight: 3 },
    amendPoll: { poll_id: OPEN_POLL, question: 'Which bridge is it?' },
    openPoll: { poll_id: DRAFT_POLL },
    closePoll: { poll_id: CLOSABLE_POLL },
    withdrawVote: { vote_id: 1 },
  },
  occasions: {
    preparePoll: {
      slow: { body: { slug: 'tallystick-slow', question: 'Slow?', options: ['yes', 'no'] }, minMs: 1000 },
    },
    castVote: {
      ok: { body: { poll_id: OPEN_POLL, voter: 'bea', option: 'old' } },
      other: { body: { poll_id: OPEN_POLL, voter: 'cyd', option: 'new', weight: 2 } },
      refused: { body: { poll_id: OPEN_POLL, voter: 'dan', option: 'neither' }, expect: { status: 422 } },
      missing: { body: { poll_id: 987654, voter: 'eve', option: 'old' } },
      hidden: { body: { poll_id: FOREIGN_POLL, voter: 'fay', option: 'yes' } },
    },
    getPoll: { hidden: { parameters: { poll_id: FOREIGN_POLL } } },
    tally: { hidden: { parameters: { poll_id: FOREIGN_POLL } } },
    openPoll: { missing: { body: { poll_id: 987654 } }, hidden: { body: { poll_id: FOREIGN_POLL } } },
    closePoll: { missing: { body: { poll_id: 987654 } }, hidden: { body: { poll_id: FOREIGN_POLL } } },
  },
  writes: ['restorePoll', 'amendPoll', 'openPoll', 'closePoll', 'castVote', 'withdrawVote'],
};
