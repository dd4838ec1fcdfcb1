import type { ConformanceOptions, Gate, TokenSource } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { asTyped, ownOf } from '../contracts/judged-contracts.ts';
import { ownParts } from '../contracts/own-module.ts';
import { givenCredential } from '../network/given-credential.ts';
import { networkOf } from '../network/network-options.ts';
import { tokenFrom } from '../network/token-command.ts';
import { readBaseline } from './baseline-file.ts';
import type { ConformOptions } from './options.ts';

/** The options of a run of the suite, with its contracts. */
export type RunOptions = ConformanceOptions & { readonly contracts: readonly Contract[] };

/** The options of a run, from those of the command and of the configuration. */
export async function runOptions(
  baseUrl: string | undefined,
  contracts: readonly Contract[],
  options: ConformOptions,
  context: Context,
): Promise<RunOptions> {
  const credential =
    options.anonymous === true ? undefined : givenCredential(contracts, options, context)?.credential;
  const parts = await ownParts(options, context);
  const { headers, sockets } = await networkOf(options, context);
  const { tokenCommand, plan } = options;
  // A plan neither sends requests nor runs commands.
  const token =
    tokenCommand === undefined ? undefined : plan ? PLANNED_TOKEN : await tokenFrom(tokenCommand, context);
  const { ownVersion } = await import('../own-version.ts');
  const own = ownOf(options);
  return {
    contracts,
    baseUrl,
    credential,
    token,
    headers,
    sockets,
    ...parts,
    allow: options.allow ?? [],
    maxRuns: options.maxRuns,
    only: options.only,
    except: options.except,
    rules: options.rule ?? [],
    levels: options.level ?? [],
    shard: options.shard,
    retries: options.retries,
    fuzz: options.fuzz,
    explore: options.explore,
    timeoutMs: options.timeout,
    toolVersion: ownVersion(),
    gate: await gateOf(options, context),
    paths: {
      folder: options.report,
      ...(options.fixtures === undefined ? {} : { fixturesFile: options.fixtures }),
      ...(own === undefined ? {} : { contract: asTyped(own) }),
      ...(own?.overlays === undefined ? {} : { overlays: own.overlays }),
    },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.maxWait === undefined ? {} : { longestWaitMs: options.maxWait }),
    ...(options.wait === undefined ? {} : { waitMs: options.wait }),
    ...(options.budget === undefined ? {} : { budgetMs: options.budget }),
    ...(options.keep === undefined ? {} : { keepBytes: options.keep }),
    ...(options.failFast === undefined ? {} : { failFast: options.failFast }),
  };
}

// --- internal ---

async function gateOf(options: ConformOptions, context: Context): Promise<Gate> {
  const baseline = await readBaseline(options.baseline, context);
  return {
    ...(options.strict === undefined ? {} : { strict: options.strict }),
    ...(options.failInconclusive === undefined ? {} : { failInconclusive: options.failInconclusive }),
    ...(options.require === undefined ? {} : { require: options.require }),
    // 0 is the same as no limit: a run that judged nothing still fails.
    ...((options.minExercised ?? 0) === 0 ? {} : { minExercised: options.minExercised }),
    ...(baseline === undefined ? {} : { baseline }),
  };
}

const PLANNED_TOKEN: TokenSource = { token: 'not asked for', renew: () => Promise.resolve('not asked for') };
