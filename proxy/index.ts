/** Live traffic between a real client and a real server, judged as it passes. */
export type { JudgedExchange } from './observer.ts';
export { startProxy, type ProxyOptions, type RunningProxy } from './proxy.ts';
