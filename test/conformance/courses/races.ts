import type { DeskFault, Unsaid } from './desk.ts';

/** Faults that only calls at the same time show, with the rule that is broken and the shortest course. */
export const RACES: readonly (readonly [DeskFault, Unsaid, RegExp])[] = [
  [
    'name-taken-twice',
    {},
    /^uniqueness\.openTicket\.taken: .*, after 1\. create [^;]*; 2\. create together, /,
  ],
  ['key-used-twice', { isNameUnsaid: true }, /^idempotency\.openTicket\.replayed: .*; 2\. create together, /],
  ['list-loses-one', {}, /^resource\.tickets\.listed: .*; 2\. create together/],
  ['title-of-another', {}, /^resource\.tickets\.(?:created|apart): .*; 2\. create together/],
  ['update-lost', {}, /^resource\.tickets\.patched: .*, after 1\. create [^;]*; 2\. together, /],
  ['version-changed-twice', {}, /^conditional-write\.changeTicket\.mismatch: .*; 2\. together, /],
  ['left-twice', {}, /^lifecycle\.Ticket\.(?:refused|transitions): /],
  ['left-twice', { isRefusalUnsaid: true }, /^lifecycle\.Ticket\.transitions: /],
];
