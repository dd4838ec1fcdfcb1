import type { Operation } from '../model.ts';
import type { ReplayPolicy } from '../policies/idempotency-replay.ts';
import type { PagesPolicy } from '../policies/pagination.ts';
import type { Policy } from '../policies/policy.ts';
import { resourceCases } from './resource-cases.ts';
import { severities } from './severities.ts';
import type { UsualCase, UsualCases } from './usual-case.ts';

/** The cases of a policy that have a usual rule, by operation. */
export function usualCases(policy: Policy, operations: readonly Operation[]): readonly UsualCases[] {
  const each = (cases: readonly UsualCase[], ids: readonly string[]): readonly UsualCases[] =>
    operations
      .filter(({ id }) => ids.includes(id))
      .map((operation) => ({ about: operation.id, operation, cases }));
  switch (policy.kind) {
    case 'idempotency':
      return operations
        .filter(({ id }) => policy.operations.includes(id))
        .map((operation) => ({
          about: operation.id,
          operation,
          cases: [
            ...(policy.mode === 'replay' ? replayCases(policy) : SINGLE_USE),
            ...((policy.release ?? []).length > 0 ? [RELEASED] : []),
            WINDOW,
            ...(takesNoKey(operation, policy.requestHeader) ? [NO_KEY] : []),
          ],
        }));
    case 'pagination':
    case 'numbered-pages':
      return each(pageCases(policy), policy.operations);
    case 'conditional-get':
      return each(CONDITIONAL, policy.operations);
    case 'conditional-write':
      return operations
        .filter(({ id }) => policy.operations.includes(id))
        .map((operation) => ({
          about: operation.id,
          operation,
          cases: guardedCases(policy, operation.method !== 'delete'),
        }));
    case 'resource':
      return resourceCases(policy, operations);
    case 'event-stream':
      return each(streamCases(policy), policy.operations);
    case 'capacity':
      return each(
        [
          ...(policy.calls === undefined && policy.things !== undefined ? [] : CAPACITY),
          ...(policy.things === undefined ? [] : THINGS),
        ],
        policy.operations,
      );
    case 'deadline':
      return each(DEADLINE, policy.operations);
    case 'diagnostics':
      return each(ACCEPTED, Object.keys(policy.accepts ?? {}));
    case 'uniqueness':
      return each(UNIQUE, policy.operations);
    case 'reserved-fields':
      return each(RESERVED, policy.operations);
    case 'upload':
      return each(UPLOAD, policy.operations);
    case 'plain-segments':
      // No other call is tried: a server that finds something by such a value would act on it.
      return each(LITERAL, policy.operations).filter(({ operation }) => operation?.method === 'get');
    case 'lifecycle':
      return [
        {
          about: thingsOf(policy),
          cases: [
            ...LIFECYCLE,
            ...(policy.members === undefined ? [] : [MEMBERS]),
            ...(policy.times === undefined ? [] : [TIMES]),
            ...(policy.frozen === undefined ? [] : [FROZEN]),
            ...(policy.refusal === undefined ? [] : [WRONG_WAY]),
          ],
        },
      ];
    case 'presence':
      return [{ about: thingsOf(policy), cases: PRESENCE }];
    case 'links':
      return [{ about: thingsOf(policy), cases: policy.members === undefined ? LINKS : [...LINKS, LEADS] }];
    case 'credentials':
      return operations.some(({ security }) => security.length > 0)
        ? [{ cases: credentialCases(policy, operations) }]
        : [];
    case 'error-codes':
      return [
        {
          cases: OBSERVED_ROLES.some((role) => role in policy.roles) ? [...ERROR_CODES, ROLES] : ERROR_CODES,
        },
      ];
    case 'error-buckets':
      return [{ cases: ERROR_BUCKETS }];
    case 'headers':
      return policy.requestId === undefined ? [] : [{ cases: HEADERS }];
    default:
      // Policies whose rules are for clients, for generators, or for APIs of one kind.
      return [];
  }
}

/** The things that a policy without operations is about. */
export function thingsOf(policy: Policy): string | undefined {
  if (policy.kind === 'lifecycle') return policy.schema;
  return policy.kind === 'presence' || policy.kind === 'links'
    ? `${policy.schema}-${policy.property}`
    : undefined;
}

// --- internal ---

function replayCases({ replayHeader, consumed }: ReplayPolicy): readonly UsualCase[] {
  const isMarked = replayHeader !== undefined;
  return [
    {
      name: 'first-use',
      says: isMarked
        ? 'The answer to the first use of a key is not marked as a replay.'
        : 'The first call with a key is made.',
    },
    {
      name: 'replayed',
      says: `The same call with the same key gets the recorded answer${isMarked ? ', marked as a replay' : ''}.`,
    },
    ...KEY_REFUSALS,
    ...(consumed === undefined
      ? []
      : [
          {
            name: 'consumed',
            says: 'A key whose answer was not kept whole is refused; no part of an answer is replayed.',
          },
        ]),
  ];
}

/** Whether the document declares the header of the key, and does not require it. */
function takesNoKey({ parameters }: Operation, header: string): boolean {
  return parameters.some(
    ({ in: place, name, required }) =>
      place === 'header' && name.toLowerCase() === header.toLowerCase() && !required,
  );
}

const RELEASED: UsualCase = {
  name: 'released',
  says: 'A key can be used again, also with another body, if its call was refused with a status that frees it.',
};
const WINDOW: UsualCase = {
  name: 'window',
  says: 'A used key is known for the stated time, and not longer.',
};
const NO_KEY: UsualCase = { name: 'no-key', says: 'Calls without a key are made, each of them.' };
const KEY_REFUSALS: readonly UsualCase[] = [
  { name: 'mismatch', says: 'The same key with another body is refused.' },
  { name: 'in-flight', says: 'A key whose first call still runs is refused, and the call runs once.' },
];
const SINGLE_USE: readonly UsualCase[] = [
  {
    name: 'used',
    says: 'A second use of a key is refused, with the same body and with another one; a first use is not.',
  },
];

/** The rules for pages depend on the declared members of a page. */
function pageCases(policy: PagesPolicy): readonly UsualCase[] {
  const isSaid = policy.page?.limit === undefined ? '' : ', and says so';
  const isCursor = policy.kind === 'pagination';
  const showsEnd = isCursor && policy.page.more !== undefined && policy.page.next !== undefined;
  return [
    { name: 'limit-default', says: `Without a limit a page has the default size${isSaid}.` },
    { name: 'limit', says: `A page has no more items than requested${isSaid}.` },
    { name: 'limit-clamped', says: 'A limit above the maximum is brought down to it.' },
    ...(policy.zeroIsDefault === true
      ? [{ name: 'limit-low', says: 'A limit of zero or below is read as the default.' }]
      : []),
    ...(showsEnd
      ? [{ name: 'more', says: 'A page has a cursor exactly if it says that there is more.' }]
      : []),
    {
      name: 'walk',
      says: `The ${isCursor ? 'cursors' : 'pages'} of a list lead through all of it, and to no item twice.`,
    },
    ...(isCursor || policy.pageParameter !== undefined || policy.offsetParameter !== undefined
      ? [noSuchPage(policy)]
      : []),
  ];
}

function noSuchPage({ kind, noSuchPage: stated }: PagesPolicy): UsualCase {
  const name = 'no-such-page';
  const what = kind === 'pagination' ? 'A cursor that no page has given' : 'A place before the first page';
  if (stated !== undefined) return { name, says: `${what} is refused as the sheet says.` };
  return kind === 'pagination'
    ? {
        name,
        level: severities['no-such-cursor'].level,
        says: `${what} is refused, or leads to no item of the first page.`,
      }
    : {
        name,
        level: severities['no-such-place'].level,
        says: `${what} is refused, or read as the first page.`,
      };
}

const CONDITIONAL: readonly UsualCase[] = [
  { name: 'current', says: 'A read with the current tag is answered without a body.' },
  { name: 'weak', says: 'Tags are compared weakly.' },
  { name: 'list', says: 'The current tag is recognised in a list of tags.' },
  { name: 'any', says: 'A star matches any state.' },
  { name: 'changed', says: 'A read with another tag gets the whole answer.' },
  { name: 'kept-headers', says: 'The answer without a body keeps the stated headers.' },
];
/** The rules for changes that name the version that they change. */
function guardedCases(
  { required, exists }: Extract<Policy, { kind: 'conditional-write' }>,
  isThereAfterwards: boolean,
): readonly UsualCase[] {
  return [
    { name: 'current', says: 'A change that names the current version is made.' },
    { name: 'mismatch', says: 'A change that names another version is refused, and nothing is changed.' },
    { name: 'weak', says: 'A weak tag matches no version.' },
    { name: 'list', says: 'The current version is recognised in a list of tags.' },
    { name: 'any', says: 'A star matches any version.' },
    ...(required === undefined
      ? []
      : [{ name: 'required', says: 'A change that names no version is refused, and nothing is changed.' }]),
    ...(exists === undefined
      ? []
      : [
          {
            name: 'exists',
            says: 'A change that excludes the current version is refused, and nothing is changed.',
          },
        ]),
    ...(isThereAfterwards
      ? [
          {
            name: 'changed',
            says: 'A change gives the resource another tag; an unchanged resource keeps its tag.',
          },
        ]
      : []),
  ];
}

/** The rules for the events of a thing depend on what the sheet says of them. */
function streamCases(policy: Extract<Policy, { kind: 'event-stream' }>): readonly UsualCase[] {
  return [
    ...(policy.stateFirst === true ? [STATE_FIRST] : []),
    {
      name: 'frames',
      says: `The stream is one of server-sent events, with ${policy.namedJson === true ? 'a name and JSON in each event' : 'JSON in each event of a known kind'}.`,
    },
    ...STREAM,
    ...(policy.thing === undefined ? [] : [THING]),
    ...(policy.terminalLast === true ? [TERMINAL_LAST] : []),
    ...(policy.liveOnly === true ? [LIVE_ONLY] : []),
  ];
}

const STREAM: readonly UsualCase[] = [
  {
    name: 'states',
    says: 'The events of the stream report declared states, in an order that the lifecycle allows.',
  },
  { name: 'end', says: 'The server ends the stream after the resource has reached a terminal state.' },
  {
    name: 'live',
    says: 'Each stream has the events of its own resource, as they happen, and of no other one.',
  },
];
const THING: UsualCase = {
  name: 'thing',
  says: 'An event with a state shows the whole resource, as the document describes it.',
};
const TERMINAL_LAST: UsualCase = {
  name: 'last',
  says: 'The event with the terminal state is the last one, and the stream does not end before it.',
};
const LIVE_ONLY: UsualCase = {
  name: 'live-only',
  says: 'Events have no id, and a request to continue after one has no effect.',
};
const STATE_FIRST: UsualCase = { name: 'first', says: 'A stream begins with the present state.' };
const CAPACITY: readonly UsualCase[] = [
  {
    name: 'calls',
    says: 'Calls of a caller beyond the number that may run at once are refused as the sheet says, and no others.',
  },
];
const THINGS: readonly UsualCase[] = [
  {
    name: 'things',
    says: 'One thing more than a caller may have is refused as the sheet says, until one is removed or counts no longer.',
  },
];
const DEADLINE: readonly UsualCase[] = [
  { name: 'expired', says: 'A call that takes longer than the deadline is answered as the sheet states.' },
];
const ACCEPTED: readonly UsualCase[] = [
  {
    name: 'accepted',
    says: 'A value that the document allows for a stated member is accepted.',
  },
];
const UNIQUE: readonly UsualCase[] = [
  { name: 'taken', says: 'A value that has to be unique is refused the second time.' },
];
const RESERVED: readonly UsualCase[] = [{ name: 'refused', says: 'A reserved member is refused.' }];
const UPLOAD: readonly UsualCase[] = [
  { name: 'address', says: 'The answer has an absolute address for the upload.' },
];
const LITERAL: readonly UsualCase[] = [
  {
    name: 'literal',
    says: 'A value of the path is read as it is sent: in another spelling it names nothing.',
  },
];
const LIFECYCLE: readonly UsualCase[] = [
  {
    name: 'states',
    says: 'Every state is a declared one, and a resource can be read in each of its states.',
  },
  { name: 'initial', says: 'A new resource is in the initial state.' },
  { name: 'transitions', says: 'A later state can be reached from the earlier one; a terminal one stays.' },
];
const MEMBERS: UsualCase = {
  name: 'members',
  says: 'A member has a value in the states in which the sheet says so, and none in those in which it has none.',
};
const TIMES: UsualCase = {
  name: 'times',
  says: 'The times of a resource are in order and in the past, and stay as they are; it expires after its creation, and not before that time.',
};
const FROZEN: UsualCase = {
  name: 'frozen',
  says: 'The members that the sheet names stay as they are after the end.',
};
const WRONG_WAY: UsualCase = {
  name: 'refused',
  says: 'A call that brings about no transition of the present state is refused, and the state stays.',
};
const PRESENCE: readonly UsualCase[] = [
  { name: 'absent', says: 'The member is left out, and never null, where the sheet does not allow it.' },
];
const LINKS: readonly UsualCase[] = [
  { name: 'address', says: 'Links are absolute, or begin with a single slash.' },
];
const LEADS: UsualCase = {
  name: 'leads',
  says: 'A link leads to the operation that the sheet names, and to the thing that shows it.',
};
/** The rules for callers, as far as the document and the sheet tell them apart. */
function credentialCases(
  { keyHeader, keyPrefix }: Extract<Policy, { kind: 'credentials' }>,
  operations: readonly Operation[],
): readonly UsualCase[] {
  const isSeveral = operations.some(
    ({ security }) => security.filter(({ schemes }) => schemes.length === 1).length > 1,
  );
  // A caller without access is one with a key.
  const isForbidding = operations.some(
    ({ security, responses }) =>
      security.some(({ schemes }) => schemes.length === 1 && schemes[0]?.type === 'apiKey') &&
      responses.some(({ status }) => status === '403'),
  );
  return [
    { name: 'none', says: 'A call without a credential is refused with 401.' },
    { name: 'refused', says: 'A call with a malformed credential is refused with 401.' },
    ...(isSeveral
      ? [
          {
            name: 'accepted',
            says: 'Each kind of credential that the document allows for an operation is accepted by it.',
          },
        ]
      : []),
    ...(isSeveral && keyHeader !== undefined && keyPrefix !== undefined
      ? [{ name: 'key-as-bearer', says: 'A key gets the same answer in its header and as a bearer token.' }]
      : []),
    ...(isForbidding
      ? [
          {
            name: 'forbidden',
            says: 'A caller that is known and has no access is refused with 403, where the document declares it.',
          },
        ]
      : []),
  ];
}
const ERROR_CODES: readonly UsualCase[] = [
  { name: 'shape', says: 'Every error has a code and a message, and its own status, where the sheet says.' },
  { name: 'status', says: 'A code with a stated status is sent with that status only.' },
];
const ROLES: UsualCase = {
  name: 'roles',
  says: 'A refusal that no policy states has the code of its role: of a malformed body, a media type, or a missing credential.',
};
/** The roles of refusals that a caller can recognise without knowing the server. */
const OBSERVED_ROLES = ['malformed', 'mediaType', 'noCredential'];
const ERROR_BUCKETS: readonly UsualCase[] = [
  { name: 'header', says: 'Every error names a known bucket in the header.' },
  { name: 'status', says: 'A bucket with a stated status is sent with that status only.' },
  { name: 'body', says: 'A body that names a bucket names the one of the header.' },
  {
    name: 'roles',
    says: 'A refusal whose cause the caller knows has the bucket of its role: a missing credential, a missing right, a malformed body, an id of nothing, or what the fixtures say.',
  },
];
const HEADERS: readonly UsualCase[] = [
  { name: 'request-id', says: 'Every answer has the header with its id.' },
];
