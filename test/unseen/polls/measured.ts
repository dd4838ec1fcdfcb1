import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { POLL_FIXTURES } from './fixtures.ts';
import { POLLS, POLLS_SHEET, POLLS_WITH_DELETE, pollsServer } from './server.ts';

/** The contract of polls, and a server for each of its faults. */
export const measuredPolls = async (): Promise<Measured> => ({
  contract: await own('polls', POLLS, POLLS_SHEET),
  fixtures: POLL_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer token-of-the-office' },
  server: pollsServer,
});

/** The same, where a discarding is a DELETE. */
export const measuredPollsWithDelete = async (): Promise<Measured> => ({
  ...(await measuredPolls()),
  contract: await own('polls', POLLS_WITH_DELETE, POLLS_SHEET),
  server: (clock, faults) => pollsServer(clock, faults, POLLS_WITH_DELETE),
});
