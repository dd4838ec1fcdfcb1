import type { AssumptionOverrides } from '../../assumptions.ts';

/**
 * The mock's choices where the contract of the registry and of the partner route is silent, by the id of the
 * open point. These are the shapes that the behaviours rely on; the values are in the behaviour sheet
 * (`unspecified`).
 */
export interface RegistryAssumptions {
  readonly 'A-40': { readonly status: number };
  readonly 'A-41': {
    readonly prefix: string;
    readonly otherStatus: number;
  };
  readonly 'A-42': { readonly status: number };
  readonly 'A-43': {
    readonly order: readonly PublishCheck[];
    readonly unknownNode: 'created' | 'refused';
  };
  readonly 'A-44': { readonly status: number; readonly error: string };
  readonly 'A-46': { readonly initial: string };
  readonly 'A-48': {
    readonly method: string;
    readonly status: number;
    readonly lifetime: string;
    readonly afterwards: number;
  };
  readonly 'A-49': { readonly echoAdminTags: boolean; readonly versionsMustRise: boolean };
  readonly 'A-50': {
    readonly badBody: number;
    readonly partnerFailure: number;
    readonly noCredential: number;
  };
  readonly 'A-51': {
    readonly required: readonly string[];
    readonly defaults: Readonly<Record<string, number>>;
    readonly outOfRange: number;
  };
  readonly 'A-52': { readonly initial: string; readonly values: readonly string[] };
  readonly 'A-55': { readonly apiKeyIn: 'either header' | 'bearer' };
  readonly 'A-54': { readonly otherRoutes: number; readonly partners: string };
}

/** The checks before a version is entered; the sheet defines their order. */
export type PublishCheck =
  | 'bearer'
  | 'json'
  | 'requiredMembers'
  | 'types'
  | 'accessToken'
  | 'rightOnPublisher'
  | 'semanticVersion'
  | 'uniqueness';

export type AssumeRegistry = <Id extends keyof RegistryAssumptions>(id: Id) => RegistryAssumptions[Id];

/**
 * The profile `legal-but-odd`: other choices where the contract makes none. Permissions are checked before
 * the body, so that an invalid body reveals none; refusals have statuses that no table lists; an error has no
 * code.
 */
export const oddRegistry: AssumptionOverrides = {
  'A-40': { status: 401 },
  'A-42': { status: 401 },
  'A-43': {
    order: [
      'bearer',
      'accessToken',
      'rightOnPublisher',
      'json',
      'requiredMembers',
      'types',
      'uniqueness',
      'semanticVersion',
    ],
  },
  'A-44': { status: 409, error: '' },
  'A-46': { initial: 'NodeVersionStatusFlagged' },
  'A-50': { badBody: 422, partnerFailure: 502, noCredential: 403 },
  'A-51': { outOfRange: 422 },
  'A-52': { initial: 'waiting in the darkroom' },
};
