/** The mock: a server that behaves as the contract says, with or without a socket. */
export type { Answer, AnswerBody, HeaderLine } from './answer.ts';
export type { AssumptionOverrides } from './assumptions.ts';
export type { Profile } from './profile.ts';
export type { Model } from './apis/router/catalogue.ts';
export {
  realClock,
  virtualClock,
  type Clock,
  type SteerableClock,
  type VirtualClockOptions,
} from './clock.ts';
export type { Deviation, DeviationView } from './deviations/deviation.ts';
export { listDeviations, type DeviationListing } from './deviations/index.ts';
export type { Switches } from './apis/switches.ts';
export type { Delivery, Handle, Handled, RawRequest, Reply } from './exchange.ts';
export type {
  ApiShape,
  ControlState,
  CredentialShape,
  EndedCall,
  PendingCall,
  ReloadShape,
  SampleCall,
  ScenarioToForce,
} from './control-shape.ts';
export type { Fixtures } from './fixtures.ts';
export type { RestoredSnapshot, SnapshotFile, SnapshotList, SnapshotShape } from './snapshot-shape.ts';
export type { ForcedScenario, ScenarioSteering } from './forced-scenarios.ts';
export type { JobsOptions } from './apis/jobs/options.ts';
export type { NodeClass } from './apis/jobs/node-classes.ts';
export type { Journal, JournalEntry, JournalMessage, TrailStep } from './journal.ts';
export type { Change } from './lasting.ts';
export { createMock, type Mock, type SteerableMock, type Steered } from './mock.ts';
export type { MockOptions } from './options.ts';
export type { Pending, PendingListener } from './open-calls.ts';
export type { RegistryOptions } from './apis/registry/options.ts';
export { listScenarios, type ScenarioListing } from './scenario-listing.ts';
export type { Reloads } from './reloads.ts';
export type { Snapshots } from './snapshots.ts';
export { startMock, type RunningMock, type StartOptions } from './server.ts';
