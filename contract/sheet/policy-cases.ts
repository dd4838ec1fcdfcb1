import type { Rule } from '../model.ts';
import type { Policy } from '../policies/policy.ts';

/** A decision that a kind of policy leads to, and that a rule or an open point can be about. */
export interface PolicyCase {
  /** What is promised in this case, for any sheet, in a sentence. */
  readonly says: string;
  /** The case that it is a part of: a rule about that one is about this one too, unless the sheet has a rule for the part. */
  readonly partOf?: string;
}

/** The cases of each kind of policy, by name; kinds without one are left out. */
export const policyCases: Readonly<Partial<Record<Policy['kind'], Readonly<Record<string, PolicyCase>>>>> = {
  idempotency: {
    'first-use': { says: 'The first call with a key is made, and its answer is not marked as a replay.' },
    replayed: {
      says: 'The same call with the same key gets the recorded answer, marked as a replay where the sheet says how.',
    },
    mismatch: { says: 'The same key with another body is refused.' },
    'not-overwritten': {
      says: 'The same key with another body changes nothing of what is recorded for it.',
      partOf: 'mismatch',
    },
    'in-flight': { says: 'A key whose first call still runs is refused, and the call runs once.' },
    'retry-after': {
      says: 'The refusal of a key whose first call still runs says when to send it again.',
      partOf: 'in-flight',
    },
    'at-once': { says: 'Of calls with one key at once, one runs.', partOf: 'in-flight' },
    used: {
      says: 'A second use of a key is refused, with the same body and with another one; a first use is not.',
    },
    consumed: {
      says: 'A key whose answer was not kept whole is refused; no part of an answer is replayed.',
    },
    released: {
      says: 'A key can be used again, also with another body, if its call was refused with a status that frees it.',
    },
    window: { says: 'A used key is known for the stated time, and not longer.' },
    'no-key': { says: 'Calls without a key are made, each of them.' },
    collecting: { says: 'A call with the key of one that took too long waits for the answer of that one.' },
    charged: { says: 'The call with a key is charged.' },
    'charged-before': { says: 'A key that was charged is not charged again.' },
    kept: { says: 'The answer of a call is recorded for its key.' },
    spent: { says: 'A key stays used after its call, without an answer.' },
    parked: {
      says: 'The key of a call that took too long stays in use, so that its answer can be collected.',
    },
    freed: { says: 'A key is free after its call.' },
    dropped: { says: 'A key is free after a call whose caller went away before the answer.' },
  },
  pagination: {
    ...sizesOfPages(),
    more: { says: 'A page has a cursor exactly if it says that there is more.' },
    walk: { says: 'The cursors of a list lead through all of it, and to no item twice.' },
    'no-such-page': {
      says: 'A cursor that no page has given is refused as the sheet says; where it says nothing, it is refused or leads to no item of the first page.',
    },
    'two-walks': { says: 'Two callers that read a list at once each get all of it.', partOf: 'walk' },
    'empty-cursor': { says: 'An empty cursor is one that no page has given.', partOf: 'no-such-page' },
    'made-up-cursor': { says: 'So is a cursor that is made up.', partOf: 'no-such-page' },
    'long-cursor': { says: 'So is a cursor that is very long.', partOf: 'no-such-page' },
    'cut-cursor': { says: 'So is a cursor that is cut off.', partOf: 'no-such-page' },
    'cursor-error': { says: 'No cursor is a fault of the server.', partOf: 'no-such-page' },
    'cursor-fallback': { says: 'No such cursor leads to the first page.', partOf: 'no-such-page' },
  },
  'numbered-pages': {
    ...sizesOfPages(),
    walk: { says: 'The pages of a list lead through all of it, and to no item twice.' },
    'no-such-page': {
      says: 'A place before the first page is refused as the sheet says; where it says nothing, it is refused or read as the first page.',
    },
  },
  'conditional-get': {
    current: { says: 'A read with the current tag is answered without a body.' },
    tag: { says: 'The answer without a body has the tag.', partOf: 'current' },
    'no-body': { says: 'The answer has no body.', partOf: 'current' },
    weak: { says: 'Tags are compared weakly.' },
    list: { says: 'The current tag is recognised in a list of tags.' },
    any: { says: 'A star matches any state.' },
    changed: { says: 'A read with another tag gets the whole answer.' },
    'kept-headers': { says: 'The answer without a body keeps the stated headers.' },
  },
  'conditional-write': {
    current: { says: 'A change that names the current version is made.' },
    mismatch: { says: 'A change that names another version is refused, and nothing is changed.' },
    weak: { says: 'A weak tag matches no version.' },
    list: { says: 'The current version is recognised in a list of tags.' },
    any: { says: 'A star matches any version.' },
    required: { says: 'A change that names no version is refused, and nothing is changed.' },
    exists: { says: 'A change that excludes the current version is refused, and nothing is changed.' },
    changed: { says: 'A change gives the resource another tag; an unchanged resource keeps its tag.' },
  },
  resource: {
    created: {
      says: 'A created resource has its own id; a read shows it as it was sent, or the answer where there is no read, and Location leads to it.',
    },
    many: {
      says: 'Each resource of a list that is created has its own id, and a read returns it as it was sent, in the order of the list.',
    },
    'many-refused': {
      says: 'A list with an invalid resource is refused as the sheet says: as a whole, and creates none; or that resource by itself, and the others are created.',
    },
    listed: {
      says: 'The list contains what was created, as it was last sent, and nothing of another parent.',
    },
    filtered: {
      says: 'A list with a filter contains what matches it, and nothing else, on each of its pages.',
    },
    sorted: { says: 'A list is in the order that its parameter names, over all of its pages.' },
    missing: {
      says: 'An unknown id is refused, also by the calls below it, and a resource is not found through another parent.',
    },
    replaced: {
      says: 'After a replacement, a read returns the sent members, without those that were left out.',
    },
    patched: {
      says: 'After a patch, the resource has the new values, keeps the others, and has no member that was set to null.',
    },
    deleted: {
      says: 'After a deletion, no call finds the resource, and the list does not contain it; a second deletion succeeds where the sheet says so.',
    },
    restored: {
      says: 'After a deletion is taken back, a read returns the resource as it was, and the list contains it.',
    },
    apart: {
      says: 'A change of one resource changes no other resource, and a refused change changes nothing.',
    },
    owned: {
      says: 'A resource belongs to the caller that created it: no other caller finds it, changes it or sees it in a list.',
    },
    taken: { says: 'An id that is already in use is refused.' },
    upsert: { says: 'A replacement creates a resource that does not exist.' },
  },
  'event-stream': {
    first: { says: 'A stream begins with the present state.' },
    frames: {
      says: 'The stream is one of server-sent events, with JSON in each event of a known kind; in every event, and with a name, where the sheet says so.',
    },
    states: {
      says: 'The events of the stream report declared states, in an order that the lifecycle allows.',
    },
    end: { says: 'The server ends the stream after the resource has reached a terminal state.' },
    live: { says: 'Each stream has the events of its own resource, as they happen, and of no other one.' },
    thing: { says: 'An event with a state shows the whole resource, as the document describes it.' },
    last: {
      says: 'The event with the terminal state is the last one, and the stream does not end before it.',
    },
    'live-only': { says: 'Events have no id, and a request to continue after one has no effect.' },
  },
  capacity: {
    calls: {
      says: 'Calls of a caller beyond the number that may run at once are refused as the sheet says, and no others.',
    },
    spend: { says: 'Calls beyond what a caller may spend at once are refused as the sheet says.' },
    things: {
      says: 'One thing more than a caller may have is refused as the sheet says, until one is removed or counts no longer.',
    },
  },
  deadline: {
    expired: { says: 'A call that takes longer than the deadline is answered as the sheet states.' },
  },
  diagnostics: {
    accepted: { says: 'A value that the document allows for a stated member is accepted.' },
    refused: { says: 'A request that the sheet says to refuse is refused as it says.' },
  },
  uniqueness: { taken: { says: 'A value that has to be unique is refused the second time.' } },
  'reserved-fields': { refused: { says: 'A reserved member is refused.' } },
  'refused-format': { refused: { says: 'A body in a format of another program is refused.' } },
  upload: { address: { says: 'The answer has an absolute address for the upload.' } },
  lifecycle: {
    states: {
      says: 'Every state is a declared one, and a resource can be read in each of its states.',
    },
    initial: { says: 'A new resource is in the initial state.' },
    transitions: { says: 'A later state can be reached from the earlier one; a terminal one stays.' },
    members: {
      says: 'A member has a value in the states in which the sheet says so, and none in those in which it has none.',
    },
    times: {
      says: 'The times of a resource are in order and in the past, and stay as they are; it expires after its creation, and not before that time.',
    },
    frozen: { says: 'The members that the sheet names stay as they are after the end.' },
    refused: {
      says: 'A call that brings about no transition of the present state is refused, and the state stays.',
    },
  },
  presence: {
    absent: { says: 'The member is left out, and never null, where the sheet does not allow it.' },
  },
  links: {
    address: { says: 'Links are absolute, or begin with a single slash.' },
    leads: { says: 'A link leads to the operation that the sheet names, and to the thing that shows it.' },
  },
  'plain-segments': {
    literal: { says: 'A value of the path is read as it is sent: in another spelling it names nothing.' },
  },
  credentials: {
    none: { says: 'A call without a credential is refused with 401.' },
    unknown: {
      says: 'So is one about a thing that does not exist, where the sheet says that the caller is judged first.',
      partOf: 'none',
    },
    refused: { says: 'A call with a malformed credential is refused with 401.' },
    accepted: {
      says: 'Each kind of credential that the document allows for an operation is accepted by it.',
    },
    'key-as-bearer': { says: 'A key gets the same answer in its header and as a bearer token.' },
    forbidden: {
      says: 'A caller that is known and has no access is refused with 403, where the document declares it.',
    },
  },
  'error-codes': {
    shape: { says: 'Every error has a code and a message, and its own status, where the sheet says.' },
    status: { says: 'A code with a stated status is sent with that status only.' },
    roles: {
      says: 'A refusal that no policy states has the code of its role: of a malformed body, a media type, or a missing credential.',
    },
  },
  'error-buckets': {
    header: { says: 'Every error names a known bucket in the header.' },
    status: { says: 'A bucket with a stated status is sent with that status only.' },
    body: { says: 'A body that names a bucket names the one of the header.' },
    roles: {
      says: 'A refusal whose cause the caller knows has the bucket of its role: a missing credential, a missing right, a malformed body, an id of nothing, or what the fixtures say.',
    },
  },
  headers: { 'request-id': { says: 'Every answer has the header with its id.' } },
};

/** The names of the cases of a kind of policy; `undefined` for a kind without any. */
export function namesOfCases(kind: Policy['kind']): readonly string[] | undefined {
  const cases = policyCases[kind];
  return cases && Object.keys(cases);
}

/** The whole case that a case of a policy is a part of; `undefined` for a whole one. */
export function wholeCaseOf(kind: Policy['kind'], name: string): string | undefined {
  return policyCases[kind]?.[name]?.partOf;
}

/**
 * What can bring a case of a policy about, by the names that a rule can have in `when`, beside statuses and their classes. Other
 * kinds of policies do not tell such things apart.
 */
export const whensOf: Readonly<Partial<Record<Policy['kind'], readonly string[]>>> = {
  idempotency: [
    ...['invalid', 'reserved', 'unpaid', 'refused', 'missing', 'limited', 'unavailable', 'failing'],
    'slow',
  ],
  credentials: ['key', 'token'],
};

/** The usual level of a case, unless its policy says enough for a must. */
export type CaseLevel = Extract<Rule['level'], 'must' | 'should'>;

// --- internal ---

/** The sizes of pages, which both kinds of pages have. */
function sizesOfPages(): Readonly<Record<string, PolicyCase>> {
  return {
    'limit-default': {
      says: 'Without a limit a page has the default size, and says so where the sheet names the member.',
    },
    limit: {
      says: 'A page has no more items than requested, and says so where the sheet names the member.',
    },
    'limit-clamped': { says: 'A limit above the maximum is brought down to it.' },
    'limit-low': { says: 'A limit of zero or below is read as the default.' },
    'page-size': { says: 'A page has no more items than requested.', partOf: 'limit' },
    'shown-limit': { says: 'A page says which size it has.', partOf: 'limit' },
    'huge-limit': {
      says: 'So is a limit beyond the numbers of most languages.',
      partOf: 'limit-clamped',
    },
    'zero-limit': { says: 'A limit of zero is read as the default.', partOf: 'limit-low' },
    'negative-limit': { says: 'A limit below zero is read as the default.', partOf: 'limit-low' },
  };
}
