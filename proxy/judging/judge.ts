import { TrafficResults } from '../../conformance/traffic/index.ts';
import { ownContractNames, type Contract } from '../../contract/index.ts';
import type { Assembly } from '../../mock/assembly.ts';
import { startControl, type RunningControl } from '../../mock/control/server.ts';
import { startAssembly, type Mock } from '../../mock/mock.ts';
import { Namespaces } from '../../mock/namespaces.ts';
import { Observer } from '../observer.ts';
import { BEGUN, HURRY, type FromJudge, type JudgePort, type JudgeSetting, type ToJudge } from './messages.ts';
import { receivedContract } from './sent-contract.ts';

/** Judges the exchanges that come through a port, one after the other, and serves the inspector that shows them. */
export async function runJudge(port: JudgePort, setting: JudgeSetting): Promise<void> {
  const { state, target, toolVersion, tells, startedAt } = setting;
  const tell = (message: FromJudge): void => port.postMessage(message);
  const fail = (error: unknown): void => tell({ kind: 'failed', error, facts: { ...(error as object) } });
  try {
    const contracts = setting.contracts.map(receivedContract);
    const { mock, assembly } = await assemblyOf(contracts);
    const observer = new Observer(assembly, {
      ...{ contracts, target: new URL(target), toolVersion, startedAt },
      onExchange: tells ? (judged) => tell({ kind: 'heard', judged }) : undefined,
    });
    /** The rules whose breach was handed over. */
    const told = new Set<string>();
    let toldAt = performance.now();
    let done = 0;
    /** What was judged until now outlives this judge. */
    const handOver = (): void => {
      if (done > 0) tell({ kind: 'judged', step: observer.take(), done });
      done = 0;
      toldAt = performance.now();
    };
    let control: RunningControl | undefined;
    const work = async (message: ToJudge): Promise<void> => {
      if (message.kind === 'serve') {
        const { port: controlPort, ...place } = message.place;
        // The inspector shows the journal of the observer, without the state of a mock.
        const shown = {
          ...mock,
          journal: observer.journal,
          handle: () => Promise.reject(new Error(NOT_SENT)),
        };
        const namespaces = new Namespaces({}, { mock: shown, assembly, only: SHOWN });
        control = await startControl(namespaces, { ...place, port: controlPort });
        tell({ kind: 'served', controlUrl: control.url });
      } else if (message.kind === 'judge') {
        const { exchanges, isAfterGap } = message;
        if (isAfterGap) observer.forget();
        const isHurried = (): boolean => Atomics.load(state, HURRY) === 1;
        for (const exchange of exchanges) {
          if (isHurried()) break;
          Atomics.add(state, BEGUN, 1);
          const breaches = await observer.see(exchange);
          done += 1;
          const isNew = breaches.some(({ rule }) => !told.has(rule));
          for (const { rule } of breaches) told.add(rule);
          if (isNew || performance.now() - toldAt > LONGEST_KEPT_MS) handOver();
        }
        handOver();
        tell({ kind: 'over' });
      } else {
        mock.close();
        await control?.stop();
        const results = new TrafficResults({
          ...{ contracts, baseUrl: target, startedAt },
          ...(toolVersion === undefined ? {} : { toolVersion }),
        });
        results.add(message.whole);
        tell({ kind: 'report', report: await results.report(message.unseen) });
      }
    };
    let queue = Promise.resolve();
    port.on('message', (message: ToJudge) => {
      queue = queue.then(() => work(message)).catch(fail);
    });
    tell({ kind: 'ready' });
  } catch (error) {
    fail(error);
  }
}

/** Reads the contracts as the mock does, which finds the operation of a request and judges it by the document. */
export async function assemblyOf(
  contracts: readonly Contract[],
): Promise<{ readonly mock: Mock; readonly assembly: Assembly }> {
  const isCarried = ({ name }: Contract): boolean => ownContractNames.some((own) => own === name);
  const { mock, assembly } = startAssembly({
    apis: ownContractNames.filter((own) => contracts.some(({ name }) => name === own)),
    contracts: contracts.filter((contract) => !isCarried(contract)),
  });
  return { mock, assembly: await assembly };
}

// --- internal ---

/** The part of a mock's control API that a proxy has: there is no state to control. */
const SHOWN = ['state', 'journal', 'reference', 'operations', 'openapi'];

/** How long results wait for others of the same exchanges, unless a rule is broken for the first time. */
const LONGEST_KEPT_MS = 5;

const NOT_SENT = 'A proxy sends no requests of its own: repeat the call with your client.';
