import { requestPath } from '../../contract/sheet/request-path.ts';
import { singular } from '../../contract/text/singular.ts';
import type { Operation } from '../../contract/model.ts';

/** The words of a name in any spelling, in lower case: `userIDs`, `user_ids` and `user-ids` are `user` and `ids`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Whether a word at the end of a name says that it is that of an id. */
export function isIdWord(word = ''): boolean {
  return /^(?:ids?|uuids?|guids?)$/.test(word);
}

/** The segments of a path without parameters; an action after a colon or a dot is a segment of its own. */
export function segmentsOf(operation: Pick<Operation, 'path' | 'parameters'>): readonly string[] {
  return requestPath(operation)
    .replace(/[?#].*/, '')
    .replace(/\{[^{}]*\}/g, '')
    .split(/[/:.]/)
    .filter((segment) => segment !== '');
}

/** The verb of an operation: the first word of its id or of the last segment that is one of these. */
export function hasVerb(operation: Operation, verbs: ReadonlySet<string>): boolean {
  const last = wordsOf(segmentsOf(operation).at(-1) ?? '');
  const [first = ''] = wordsOf(operation.id.split(/[./:]/).at(-1) ?? '');
  return verbs.has(last[0] ?? '') || verbs.has(first);
}

/** Verbs of operations that change nothing. */
export const READING: ReadonlySet<string> = new Set(
  ['search', 'query', 'find', 'filter', 'lookup', 'list', 'get', 'count', 'fetch', 'read', 'show', 'browse']
    .flatMap((verb) => [verb, `${verb}s`])
    // In the plural, these are things.
    .concat('validate', 'diff', 'preview', 'calculate'),
);

/** Verbs of operations that make a thing. */
export const CREATING: ReadonlySet<string> = new Set([
  'create',
  'add',
  'new',
  'register',
  'insert',
  'make',
  'open',
]);

/** Verbs of operations that end a thing without another effect: nothing is paid, sent or published. */
export const ENDING: ReadonlySet<string> = new Set([
  ...[
    'cancel',
    'abort',
    'stop',
    'end',
    'close',
    'terminate',
    'withdraw',
    'revoke',
    'void',
    'dismiss',
    'discard',
  ],
  ...['archive', 'retire', 'deactivate', 'disable', 'expire', 'abandon', 'remove', 'delete'],
]);

/** Verbs of operations that take a thing away. */
export const REMOVING: ReadonlySet<string> = new Set(['delete', 'remove', 'destroy', 'drop', 'discard']);

/** What has consequences beyond a thing of the run, by what the words of a name say. */
export function hazardIn(names: readonly string[], isThing: boolean): string | undefined {
  const words = new Set(names.flatMap(wordsOf).flatMap((word) => [word, singular(word)]));
  const said = (all: readonly string[]): string | undefined => all.find((word) => words.has(word));
  const own = said(OWN);
  if (own !== undefined) return `"${own}" in its name says that it is about the caller's own account`;
  const secret =
    said(CREDENTIALS) ??
    ([...words].join(' ').includes('key') && said(['api', 'access']) ? 'key' : undefined);
  if (secret !== undefined) return `"${secret}" in its name says that it is about credentials`;
  const mail = said(MAILS);
  if (mail !== undefined) return `"${mail}" in its name says that it sends something to people`;
  const system = said(SYSTEM);
  if (system !== undefined) return `"${system}" in its name says that it is about the whole server`;
  // The author of a sheet says that it is a thing of the API.
  const money = isThing ? undefined : said(MONEY);
  return money === undefined ? undefined : `"${money}" in its name says that it moves money`;
}

/** Reads by their method that act by their name. */
export const ACTING: ReadonlySet<string> = new Set([
  ...REMOVING,
  ...[
    'logout',
    'signout',
    'logoff',
    'purge',
    'clear',
    'reset',
    'unsubscribe',
    'revoke',
    'flush',
    'wipe',
    'truncate',
  ],
  ...[
    'send',
    'shutdown',
    'restart',
    'trigger',
    'approve',
    'reject',
    'activate',
    'deactivate',
    'disable',
    'enable',
  ],
]);

// --- internal ---

const OWN = ['me', 'self', 'myself', 'mine', 'whoami'];

const CREDENTIALS = [
  ...[
    'token',
    'password',
    'passwd',
    'passwort',
    'passcode',
    'secret',
    'apikey',
    'credential',
    'session',
    'login',
    'logout',
  ],
  ...[
    'signin',
    'signout',
    'signup',
    'logoff',
    'auth',
    'oauth',
    'sso',
    'mfa',
    'otp',
    'totp',
    'passkey',
    'impersonate',
    'impersonation',
    'grant',
    'revoke',
    'revocation',
  ],
];

const MAILS = [
  ...[
    'mail',
    'email',
    'sms',
    'notification',
    'notify',
    'invite',
    'invitation',
    'newsletter',
    'broadcast',
    'reminder',
  ],
  ...[
    'remind',
    'send',
    'fax',
    'recovery',
    'forgot',
    'push',
    'dispatch',
    'publish',
    'senden',
    'versenden',
    'nachricht',
    'einladung',
    'benachrichtigung',
    'enviar',
    'correo',
    'mensaje',
    'invitacion',
    'envoyer',
    'courriel',
  ],
];

const SYSTEM = [
  ...[
    'purge',
    'reset',
    'backup',
    'reindex',
    'maintenance',
    'shutdown',
    'restart',
    'flush',
    'cache',
    'truncate',
    'wipe',
  ],
  ...[
    'migrate',
    'migration',
    'rollback',
    'cleanup',
    'factory',
    'bootstrap',
    'upgrade',
    'reload',
    'reboot',
    'failover',
    'deploy',
    'deployment',
    'rollout',
    'sync',
    'loeschung',
    'borrado',
    'suppression',
  ],
];

const MONEY = [
  'transfer',
  'payout',
  'withdraw',
  'withdrawal',
  'refund',
  'charge',
  'deposit',
  'topup',
  'payment',
  'pay',
  'debit',
  'payroll',
  'purchase',
  'checkout',
  'zahlung',
  'zahlungen',
  'zahlen',
  'ueberweisungen',
  'bezahlen',
  'ueberweisung',
  'umbuchung',
  'abbuchung',
  'pago',
  'pagar',
  'transferencia',
  'paiement',
  'payer',
  'virement',
  'pagamento',
];
