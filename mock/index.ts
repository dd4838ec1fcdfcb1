/** The mock: a server that behaves as the contract says, with or without a socket. */
export { withHeaders, withoutHeaders, type Answer, type AnswerBody, type HeaderLine } from './call/answer.ts';
export type { AssumptionOverrides } from './assumptions.ts';
export type { Profile } from './profile.ts';
export type { Model } from './apis/router/catalogue.ts';
export type { Clock, SteerableClock } from './state/clock.ts';
export { realClock, startOfSeeded, virtualClock, type VirtualClockOptions } from './state/clocks.ts';
export { onJson, type Deviation, type DeviationView } from './deviations/deviation.ts';
export { listDeviations, type DeviationListing } from './deviations/index.ts';
export type { Delivery } from '../engine/delivery.ts';
export type { Handle, Handled, RawRequest, SentReply } from './call/exchange.ts';
export type { ApiShape, ControlState, CredentialShape, ReloadShape, SampleCall } from './control/shape.ts';
export type { EndedCall, PendingCall } from './control/calls-shape.ts';
export type { ScenarioToForce } from './control/steering-shape.ts';
export type { Fixtures } from './fixtures.ts';
export type {
  RestoredSnapshot,
  SnapshotFile,
  SnapshotList,
  SnapshotShape,
} from './control/snapshot-shape.ts';
export type { ScenarioSteering } from './scenarios/forced-scenarios.ts';
export type { ForcedScenario } from './control/steering-shape.ts';
export type { JobsOptions } from './apis/jobs/options.ts';
export type { NodeClass } from './apis/jobs/node-classes.ts';
export type { Journal, JournalEntry, JournalMessage, TrailStep } from './journal/journal.ts';
export type { StateChange } from './state/durable-state.ts';
export { createMock, type Mock, type SteerableMock, type Steered } from './mock.ts';
export type { MockOptions } from './options.ts';
export type { OwnMockModule, OwnMockModules } from './own-module.ts';
export type { Pending, PendingListener } from './call/open-calls.ts';
export type { RegistryOptions } from './apis/registry/options.ts';
export { listScenarios } from './scenarios/scenario-listing.ts';
export type { ScenarioListing } from './control/steering-shape.ts';
export type { Reloads } from './reloads.ts';
export type { Snapshots } from './state/snapshots.ts';
export { startMock, type RunningMock, type StartOptions } from './server.ts';
