import type { Judged, Setting } from './judged.ts';
import { Runner } from './runner.ts';
import type { Changed, Outcome } from './runner.ts';

/** What showed a change of the server: broken rules, findings, a dead process. Empty where nothing did. */
export interface Trial {
  readonly signs: readonly string[];
  /** Rules that have a verdict without the change and none with it. */
  readonly lost: readonly string[];
}

/** Tries changed servers, several at a time: a run waits more than it computes. */
export class Trials {
  readonly #idle: Runner[] = [];
  readonly #honest = new Map<string, Promise<Judged>>();

  /** Tries a change in one setting after the other, until it shows. */
  async of(settings: readonly Setting[], changed: Changed): Promise<Trial> {
    const runner = this.#idle.pop() ?? new Runner();
    try {
      let lost: readonly string[] = [];
      for (const setting of settings) {
        const { decided } = await this.#honestIn(setting, runner);
        const outcome = await runner.judge({ ...setting, failFast: true }, changed);
        const signs = signsOf(outcome);
        if (await isLasting(signs, setting, changed, runner)) return { signs, lost: [] };
        if (!('failed' in outcome))
          lost = [...lost, ...decided.filter((rule) => !outcome.decided.includes(rule))];
      }
      return { signs: [], lost };
    } finally {
      this.#idle.push(runner);
    }
  }

  close(): void {
    for (const runner of this.#idle) runner.close();
  }

  #honestIn(setting: Setting, runner: Runner): Promise<Judged> {
    const key = JSON.stringify(setting);
    const known = this.#honest.get(key) ?? quiet(setting, runner);
    this.#honest.set(key, known);
    return known;
  }
}

/** Gives each of the items to `work`, at most so many at a time. The answers are in the order of the items. */
export async function inLanes<Item, Answer>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      answers[index] = await work(items[index] as Item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
}

// --- internal ---

/** A single sign may be the doing of a busy machine: it has to show a second time. */
async function isLasting(
  signs: readonly string[],
  setting: Setting,
  changed: Changed,
  runner: Runner,
): Promise<boolean> {
  if (signs.length !== 1) return signs.length > 1;
  const rules = signs.filter((sign) => /^[a-z]+\.[a-z.0-9-]+$/.test(sign));
  if (rules.length > 0 && signsOf(await runner.judge({ ...setting, rules }, changed)).length > 0) return true;
  return signsOf(await runner.judge({ ...setting, failFast: true }, changed)).length > 0;
}

async function quiet(setting: Setting, runner: Runner): Promise<Judged> {
  const outcome = await runner.judge(setting);
  if (signsOf(outcome).length > 0 || 'failed' in outcome)
    throw new Error(`the second server as it is does not pass: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** What shows that a server is not as it was; empty where nothing does. */
function signsOf(outcome: Outcome): readonly string[] {
  if ('failed' in outcome) return [outcome.failed];
  if (outcome.broken.length > 0) return outcome.broken;
  return outcome.findings.length > 0 ? outcome.findings : outcome.exitCode === 0 ? [] : ['exit code'];
}
