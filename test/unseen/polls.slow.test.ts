// @module-tag long
import { measureSet } from './measured-set.ts';
import { POLL_FAULTS } from './polls/faults.ts';
import { measuredPolls, measuredPollsWithDelete } from './polls/measured.ts';

measureSet('polls', measuredPolls, POLL_FAULTS, []);
measureSet('polls with DELETE', measuredPollsWithDelete, POLL_FAULTS, []);
