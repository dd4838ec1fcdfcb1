import { anything, type ControlOperation, text, whole } from './operation.ts';

/** The served APIs, and the recorded exchanges. */
export const callsOperations: readonly ControlOperation[] = [
  {
    id: 'getState',
    method: 'get',
    path: '/state',
    summary: 'Read an overview of the mock',
    answer: 'ControlState',
  },
  {
    id: 'streamEvents',
    method: 'get',
    path: '/stream',
    summary: 'Follow exchanges and changes as server-sent events: state, exchange, began, ended, changed',
    query: { since: { description: 'Send the exchanges with a higher number first.', schema: whole } },
    answer: text,
    mediaType: 'text/event-stream',
  },
  {
    id: 'listExchanges',
    method: 'get',
    path: '/journal',
    summary: 'List exchanges, oldest first',
    query: {
      since: { description: 'Only exchanges with a higher number.', schema: whole },
      limit: { description: 'The limit for the newest ones.', schema: whole },
      search: { description: 'A search as in the inspector, such as `status:409`.', schema: text },
    },
    answer: 'JournalPage',
  },
  { id: 'clearJournal', method: 'delete', path: '/journal', summary: 'Clear the journal', answer: anything },
  {
    id: 'restoreJournal',
    method: 'put',
    path: '/journal',
    summary: 'Bring back the exchanges that were cleared last',
    answer: 'JournalPage',
  },
  {
    id: 'getExchange',
    method: 'get',
    path: '/journal/{number}',
    summary: 'Read an exchange',
    answer: 'JournalEntry',
  },
  {
    id: 'replayExchange',
    method: 'post',
    path: '/journal/{number}/replay',
    summary: 'Send a request of the journal again',
    body: 'ReplayWish',
    bodyIsOptional: true,
    answer: 'SentExchange',
  },
  {
    id: 'listPending',
    method: 'get',
    path: '/pending',
    summary: 'List calls that have not ended',
    answer: 'PendingList',
  },
  {
    id: 'sendRequest',
    method: 'post',
    path: '/requests',
    summary: 'Send a request to the mock. With `?follow`, the answer arrives as lines of JSON.',
    body: 'RequestToSend',
    answer: 'SentExchange',
  },
];
