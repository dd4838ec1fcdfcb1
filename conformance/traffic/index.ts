/** Verdicts on exchanges between other clients and a server. */
export type { PassedExchange, PassedMessage } from './passed-exchange.ts';
export { LONGEST_JUDGED } from './passed-exchange.ts';
export { TrafficJudge, type TrafficBreach } from './traffic-judge.ts';
export { TrafficResults, type TrafficSubject, type UnseenTraffic } from './traffic-results.ts';
export type { TrafficStep } from './traffic-step.ts';
