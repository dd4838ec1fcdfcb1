/** Verdicts on exchanges between other clients and a server. */
export type { PassedExchange, PassedMessage } from './passed-exchange.ts';
export { LONGEST_JUDGED } from './passed-exchange.ts';
export {
  TrafficJudge,
  type UnseenTraffic,
  type TrafficBreach,
  type TrafficJudgeOptions,
} from './traffic-judge.ts';
