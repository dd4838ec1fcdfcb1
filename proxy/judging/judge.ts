import type { TrafficBreach } from '../../conformance/traffic/index.ts';
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
  const { state, target, toolVersion, tells, found } = setting;
  const tell = (message: FromJudge): void => port.postMessage(message);
  const fail = (error: unknown): void => tell({ kind: 'failed', error, facts: { ...(error as object) } });
  try {
    const contracts = setting.contracts.map(receivedContract);
    const { mock, assembly } = await assemblyOf(contracts);
    let breaches: TrafficBreach[] = [];
    const observer = new Observer(assembly, {
      ...{ contracts, target: new URL(target), toolVersion, found },
      onExchange: (judged) => {
        breaches.push(...judged.breaches);
        if (tells) tell({ kind: 'heard', judged });
      },
    });
    let control: RunningControl | undefined;
    let skipped = 0;
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
        let done = 0;
        for (; done < exchanges.length && !isHurried(); done += 1) {
          Atomics.add(state, BEGUN, 1);
          const exchange = exchanges[done];
          if (exchange === undefined) continue;
          await observer.see(exchange);
        }
        skipped += exchanges.length - done;
        tell({ kind: 'judged', breaches, skipped: exchanges.length - done });
        breaches = [];
      } else {
        mock.close();
        await control?.stop();
        const { unjudged = 0, ...others } = message.unseen;
        tell({ kind: 'report', report: await observer.report({ ...others, unjudged: unjudged + skipped }) });
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

const NOT_SENT = 'A proxy sends no requests of its own: repeat the call with your client.';
