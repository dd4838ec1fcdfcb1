import { isRecord } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Operation } from '../../contract/model.ts';
import { withoutBody } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { foreignOf } from '../exchanges/foreign.ts';
import { responseFor } from '../probes/own-api.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import { credentialPlace, isInAuthorization } from '../target/credential.ts';
import type { Credential } from '../target/credential.ts';
import type { Target } from '../target/target.ts';
import type { RunFinding } from '../verdicts/report.ts';

/** An operation of which the server refused a call without a credential, and accepted the same call with it. */
interface Wanted {
  readonly refused: Exchange;
  readonly accepted: Exchange;
  readonly plan: RequestPlan;
}

/**
 * Learns which operations want a credential although their document declares none. A document that forgot it would
 * otherwise make a finding of each operation.
 */
export class UndeclaredSecurity {
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #wanted = new Map<string, Wanted>();

  /** Whether the server has shown that it wants the credential for the operation of a request. */
  isWanted(api: string, { operation }: RequestPlan): boolean {
    return this.#wanted.has(keyOf(api, operation));
  }

  /**
   * Sends a request that was refused without a credential once more, with it, unless that was already in vain.
   *
   * @param plan the request with the credential
   * @returns the second exchange, and whether the server wants the credential; `undefined` if nothing was sent
   */
  async tried<Sent extends { readonly exchange: Exchange }>(
    refused: Exchange,
    plan: RequestPlan,
    send: () => Promise<Sent>,
  ): Promise<{ readonly sent: Sent; readonly isWanted: boolean } | undefined> {
    const key = keyOf(refused.api, plan.operation);
    const known = this.#asked.get(key);
    if (known !== undefined) return (await known) ? { sent: await send(), isWanted: true } : undefined;
    const sending = send();
    const asked = sending.then(
      ({ exchange: accepted }) => {
        if (!isAccepted(accepted)) return false;
        this.#wanted.set(key, { refused: withoutBody(refused), accepted: withoutBody(accepted), plan });
        return true;
      },
      () => false,
    );
    this.#asked.set(key, asked);
    let isSettled = false;
    try {
      const sent = await sending;
      const isWanted = await asked;
      // An answer that was lost or delayed decides nothing.
      isSettled = isWanted || isRefused(sent.exchange);
      return { sent, isWanted };
    } finally {
      if (!isSettled) this.#asked.delete(key);
    }
  }

  /** One finding for each document, with all of its operations and with the Overlay that corrects it. */
  findings(contracts: readonly Contract[], target: Pick<Target, 'credentials'>): readonly RunFinding[] {
    return contracts.flatMap((contract) => {
      const found = contract.operations.flatMap((operation) => {
        const wanted = this.#wanted.get(keyOf(contract.name, operation.id));
        return wanted === undefined ? [] : [{ operation, wanted }];
      });
      const [first] = found;
      if (first === undefined) return [];
      const { operation, wanted } = first;
      const { refused, accepted, plan } = wanted;
      const operations = found.map((one) => one.operation);
      const isDeclared = found.every(
        (one) => responseFor(one.operation, one.wanted.refused.status) !== undefined,
      );
      const which =
        operations.length === 1 ? '1 operation that wants' : `${operations.length} operations that want`;
      const names = operations.slice(0, MOST_NAMED).map(({ id }) => id);
      const more =
        operations.length > MOST_NAMED
          ? ` and ${operations.length - MOST_NAMED} more, which the Overlay below lacks`
          : '';
      return [
        {
          // A declared refusal keeps the document, although that does not say what would be accepted.
          kind: isDeclared ? 'doubt' : 'document',
          about: contract.name,
          says: `The document has no security for ${which} the credential: ${nameOf(operation)} returned ${refused.status} without one, and ${accepted.status} with it`,
          help: `Operations: ${names.join(', ')}${more}. The run sent the credential; clients made from the document send none. Correct the document, or give this Overlay with --overlay: ${overlayFor(contract, operations, target.credentials[plan.as])}`,
          exchanges: found.flatMap((one) => [one.wanted.refused.id, one.wanted.accepted.id]).slice(0, 20),
        },
      ];
    });
  }
}

/** Whether an answer says that a call lacks a credential, or a permission. */
export function isRefused({ answer, status }: Exchange): boolean {
  return answer !== undefined && (status === 401 || status === 403);
}

// --- internal ---

/** Operations in the text of a finding, and in its Overlay. */
const MOST_NAMED = 20;

function keyOf(api: string, operation = ''): string {
  return `${api} ${operation}`;
}

/** Whether an answer to a call with a credential shows that it was wanted. */
function isAccepted(exchange: Exchange): boolean {
  const { answer, status } = exchange;
  return (
    answer !== undefined &&
    !isRefused(exchange) &&
    status < 500 &&
    status !== 429 &&
    foreignOf(exchange) === undefined
  );
}

function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** An Overlay as one line of JSON, which is YAML too: the scheme, if the document has none that fits, and each operation. */
function overlayFor(
  { document: { root } }: Contract,
  operations: readonly Operation[],
  credential: Credential | undefined,
): string {
  const scheme = schemeOf(credential);
  const components = isRecord(root['components']) ? root['components'] : {};
  const schemes = isRecord(components['securitySchemes']) ? components['securitySchemes'] : {};
  const known = Object.entries(schemes).find(([, one]) => isRecord(one) && isAlike(one, scheme))?.[0];
  const name = known ?? (Object.hasOwn(schemes, 'access') ? 'tallystick' : 'access');
  const declared =
    known === undefined
      ? [{ target: '$', update: { components: { securitySchemes: { [name]: scheme } } } }]
      : [];
  const actions = operations.slice(0, MOST_NAMED).map(({ path, method }) => ({
    target: `$.paths['${path.replace(/['\\]/g, '\\$&')}'].${method}`,
    update: { security: [{ [name]: [] }] },
  }));
  return JSON.stringify({
    overlay: '1.0.0',
    info: { title: 'Security', version: '1' },
    actions: [...declared, ...actions],
  });
}

/** The scheme of a credential, as a document declares it. */
function schemeOf(credential: Credential | undefined): Readonly<Record<string, string>> {
  if (credential === undefined || isInAuthorization(credential)) {
    const isBasic = credential !== undefined && /^basic /i.test(credential.value);
    return { type: 'http', scheme: isBasic ? 'basic' : 'bearer' };
  }
  return { type: 'apiKey', ...credentialPlace(credential) };
}

/** Whether a declared scheme has the credential of this one. */
function isAlike(
  declared: Readonly<Record<string, unknown>>,
  scheme: Readonly<Record<string, string>>,
): boolean {
  const isToken = declared['type'] === 'oauth2' || declared['type'] === 'openIdConnect';
  if (isToken) return scheme['scheme'] === 'bearer';
  return Object.entries(scheme).every(
    ([name, value]) => String(declared[name]).toLowerCase() === value.toLowerCase(),
  );
}
