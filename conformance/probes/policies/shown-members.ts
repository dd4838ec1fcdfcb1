import type { PolicyOf } from '../../../contract/index.ts';
import { lifecyclesOf } from '../../../contract/index.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { Operation } from '../../../contract/model.ts';
import { idOf } from '../document/ids.ts';
import type { Facts, OperationFacts, Probes } from './facts.ts';
import { resourcesIn } from './resources.ts';
import { showsAsThing } from './shown-lifecycle.ts';
import { thingsBy } from './things.ts';

/** A member that only some answers may have. */
export function presenceProbes(facts: Facts<PolicyOf<'presence'>>): Probes {
  const { api, policy } = facts;
  const lifecycle = lifecyclesOf(api.contract).find(({ schema }) => schema === policy.schema);
  return {
    oracles: facts.oracle(['absent'], {
      *look(exchange) {
        yield* unlessUnreadable(exchange, facts.ids('absent'), judge());
        function* judge(): ReturnType<Facts['judge']> {
          for (const { value } of resourcesIn(api, exchange, policy.schema)) {
            const isThere = Object.hasOwn(value, policy.property);
            // What has no lifecycle has no end to wait for.
            const isEarly =
              policy.onlyWhenTerminal === true &&
              lifecycle?.terminal.includes(String(at(value, lifecycle.property))) === false;
            const mayBe =
              policy.operations.includes(exchange.operation ?? '') &&
              !isEarly &&
              value[policy.property] !== null;
            yield* facts.judge(
              'absent',
              exchange,
              !isThere || mayBe,
              `${policy.property} left out, or a value where it may be`,
              `${policy.property} ${sketch(value[policy.property], 60)}`,
            );
          }
        }
      },
    }),
  };
}

/** Links in a resource. */
export function linkProbes(facts: Facts<PolicyOf<'links'>>): Probes {
  const { api, policy } = facts;
  // An operation about another thing, such as the one around it, has another id in its path.
  const own = api.operations
    .filter(({ method, path }) => method === 'get' && path.endsWith('}'))
    .filter((reader) => showsAsThing(api, reader, policy.schema, thingsBy(api, 'read', reader)?.roles.item))
    .map(({ path }) => path);
  const isOfThing = ({ path }: Operation): boolean =>
    own.some((reader) => path === reader || path.startsWith(`${reader}/`));
  return {
    oracles: facts.oracle(['address', 'leads'], {
      *look(exchange) {
        yield* unlessUnreadable(exchange, facts.ids('address', 'leads'), judge());
        function* judge(): ReturnType<Facts['judge']> {
          for (const { value } of resourcesIn(api, exchange, policy.schema)) {
            for (const [id, name] of Object.entries(policy.members ?? {})) {
              const link = at(value, `${policy.property}.${name}`);
              const operation = api.operation(id);
              if (operation === undefined || typeof link !== 'string') continue;
              const wanted = pathOf(operation, isOfThing(operation) ? value : {});
              yield* facts.judge(
                'leads',
                exchange,
                wanted.test(decodedPath(link)),
                `a link ${name} to ${operation.path} of the same thing`,
                sketch(link, 120),
              );
            }
            const links = at(value, policy.property);
            for (const link of isObject(links) ? Object.values(links) : []) {
              // Where there is nothing to lead to, a server may say so.
              if (link === null) continue;
              yield* facts.judge(
                'address',
                exchange,
                typeof link === 'string' && /^(?:https?:\/\/[^/]|\/(?!\/))/i.test(link),
                'an absolute address, or one with a single slash at its head',
                sketch(link, 80),
              );
            }
          }
        }
      },
    }),
  };
}

/** The path of a link: which characters of an id are escaped is the server's affair (RFC 3986, section 2.4). */
function decodedPath(link: string): string {
  const path = (link.split(/[?#]/)[0] ?? '').replace(/(?<=.)\/$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The end of an address of an operation, decoded. What the thing shows of the parameters is in it. */
function pathOf({ path }: Operation, thing: Readonly<Record<string, unknown>>): RegExp {
  const last = path.lastIndexOf('{');
  const segments = path.split(/(\{[^{}]+\})/).map((part, index, all) => {
    if (index % 2 === 0) return escaped(part);
    const isLast = all.slice(0, index).join('').length === last;
    const own = isLast ? idOf(thing, part.slice(1, -1)) : undefined;
    return own === undefined ? '[^/]+' : escaped(String(own));
  });
  return new RegExp(`${segments.join('')}$`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Control characters and blanks are no part of an address (RFC 3986, section 2); U+FFFD stands for what was spoilt. */
const ADDRESS = /^https?:[^\p{Cc}\s\ufffd]+$/iu;

/** An answer with an upload address. */
export function uploadProbes(facts: OperationFacts<PolicyOf<'upload'>>): Probes {
  const { operation, policy } = facts;
  return {
    oracles: facts.oracle(['address'], {
      *look(exchange) {
        if (exchange.operation !== operation.id || !isSuccess(exchange)) return;
        yield* unlessUnreadable(exchange, facts.ids('address'), judge());
        function* judge(): ReturnType<Facts['judge']> {
          const address = at(exchange.json, policy.address);
          const isOne = typeof address === 'string' && ADDRESS.test(address) && URL.canParse(address);
          yield* facts.judge(
            'address',
            exchange,
            isOne,
            `an absolute address at ${policy.address}`,
            sketch(address, 80),
          );
        }
      },
    }),
  };
}
