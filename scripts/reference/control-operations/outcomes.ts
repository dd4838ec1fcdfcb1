import { type ControlOperation, list, members, of } from './operation.ts';

const forced = members({ forced: list(of('ForcedScenario')) });

/** Settings for the outcome of the next calls: clock, scenarios, keys. */
export const outcomesOperations: readonly ControlOperation[] = [
  {
    id: 'getClock',
    method: 'get',
    path: '/clock',
    summary: 'Read the clock, and the scheduled events',
    answer: 'ClockShape',
  },
  {
    id: 'steerClock',
    method: 'post',
    path: '/clock',
    summary: 'Advance the clock or change its speed',
    body: 'ClockStep',
    answer: 'ClockShape',
  },
  {
    id: 'listScenarios',
    method: 'get',
    path: '/scenarios',
    summary: 'List scenarios, and those that are forced',
    answer: 'ScenarioList',
  },
  {
    id: 'forceScenario',
    method: 'post',
    path: '/scenarios',
    summary: 'Force a scenario on the next calls',
    body: 'ScenarioToForce',
    answer: forced,
  },
  {
    id: 'clearScenarios',
    method: 'delete',
    path: '/scenarios',
    summary: 'Stop forcing scenarios',
    answer: forced,
  },
  {
    id: 'clearScenario',
    method: 'delete',
    path: '/scenarios/{name}',
    summary: 'Stop forcing one scenario',
    answer: forced,
  },
  { id: 'listKeys', method: 'get', path: '/keys', summary: 'List idempotency keys', answer: 'KeyList' },
  {
    id: 'forgetKeys',
    method: 'delete',
    path: '/keys',
    summary: 'Forget all idempotency keys',
    answer: 'KeyList',
  },
  {
    id: 'expireKey',
    method: 'post',
    path: '/keys/{id}',
    summary: 'Let one key expire now',
    answer: 'KeyList',
  },
  { id: 'forgetKey', method: 'delete', path: '/keys/{id}', summary: 'Forget one key', answer: 'KeyList' },
];
