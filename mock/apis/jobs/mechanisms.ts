import { stopJob } from './cancel.ts';
import { usedKey } from './course.ts';
import { identified } from './credentials.ts';
import { findJob } from './job-lookup.ts';
import { stateToShow } from './read.ts';
import { waitAfterEnd, firstUpdates } from './stream.ts';
import {
  checkSubmission,
  faultOfExtraData,
  graphRead,
  reservedMembers,
  standingOf,
} from './submission-checks.ts';
import { submission } from './submit.ts';

/** The parts that a deviation can replace. */
export const jobMechanisms = {
  ...{ identified, findJob, stateToShow, stopJob, firstUpdates, waitAfterEnd, submission, usedKey },
  ...{ checkSubmission, reservedMembers, faultOfExtraData, graphRead, standingOf },
};

export type JobMechanisms = Readonly<typeof jobMechanisms>;
