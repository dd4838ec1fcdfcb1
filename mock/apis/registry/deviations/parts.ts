import { anonymous } from '../../../call/caller.ts';
import type { Replacements } from '../../../deviations/replacements.ts';
import { storeOf } from '../context.ts';
import { bodyOf, claimOf, publishChecks, versionOf } from '../publish-checks.ts';
import { EVERYDAY_USER } from '../publishers.ts';

/** Replacements of mechanisms of the registry for deviations. */
type Replace = NonNullable<Replacements['registry']>;

export const openToAll: Replace = ({ identified }) => ({
  identified: (registry, call) => {
    const caller = identified(registry, call);
    return typeof caller === 'object' ? caller : anonymous('nobody');
  },
});

/** A required member of the publication is optional. */
export function optional(member: string): Replace {
  return ({ requiredOf }) => ({
    requiredOf: (registry, call) => requiredOf(registry, call).filter((name) => name !== member),
  });
}

/** The access token is optional. */
export const tokenOptional: Replace = (honest) => ({
  ...optional('personal_access_token')(honest),
  userOfCall: (registry, call) =>
    'personal_access_token' in bodyOf(call) ? honest.userOfCall(registry, call) : EVERYDAY_USER,
});

/** Accepts any access token. */
export const tokenUnchecked: Replace = () => ({ userOfCall: () => EVERYDAY_USER });

/** Accepts members of any type. */
export const typesUnchecked: Replace = () => ({ misfitsOf: () => [] });

/** Every text is a valid version. */
export const anyVersion: Replace = ({ semanticVersion }) => ({
  semanticVersion: (registry, call) =>
    typeof versionOf(call) === 'string' ? undefined : semanticVersion(registry, call),
});

/** Only three numbers are a valid version. */
export const plainVersions: Replace = ({ versionRead }) => ({
  versionRead: (registry, call, text) => {
    const version = versionRead(registry, call, text);
    return version?.preRelease.length === 0 && version.build.length === 0 ? version : undefined;
  },
});

/** A version can be entered again. */
export const enteredAgain: Replace = () => ({ isTaken: () => false });

/** A version with build metadata can be entered again. */
export const buildsEnteredAgain: Replace = ({ isTaken }) => ({
  isTaken: (registry, call) => !String(versionOf(call)).includes('+') && isTaken(registry, call),
});

/** A version is in use as soon as any node has it. */
export const takenEverywhere: Replace = () => ({
  isTaken: (registry, call) => storeOf(registry, call).isTaken(claimOf(registry, call).everywhere),
});

/** Time passes between the checks and the entry. */
export const checkedThenEntered: Replace = ({ entered }) => ({
  entered: async (registry, call) => {
    await registry.clock.sleep(RACE_MS);
    return entered(registry, call);
  },
});

/** While one version is entered, every other one counts as taken. */
export const alone: Replace = ({ entered, isTaken }) => {
  let underWay = 0;
  return {
    isTaken: (registry, call) => underWay > 0 || isTaken(registry, call),
    entered: async (registry, call) => {
      underWay += 1;
      await registry.clock.sleep(RACE_MS).finally(() => (underWay -= 1));
      return entered(registry, call);
    },
  };
};

/** A version is in use as soon as it is requested, even if the publication is refused. */
export const refusedTaken: Replace = (honest) =>
  Object.fromEntries(
    (Object.keys(publishChecks) as (keyof typeof publishChecks)[]).map((name) => {
      const check: (typeof publishChecks)[typeof name] = (registry, call) => {
        const refusal = honest[name](registry, call);
        if (refusal !== undefined) storeOf(registry, call).claim([claimOf(registry, call).within]);
        return refusal;
      };
      return [name, check];
    }),
  );

/** Every caller may publish for every publisher. */
export const publishersOpen: Replace = () => ({ rightOnPublisher: () => undefined });

/** A caller who was refused once may publish for every publisher. */
export const publishersOpenLater: Replace = ({ rightOnPublisher }) => {
  let refused = 0;
  return {
    rightOnPublisher: (registry, call) => {
      const refusal = rightOnPublisher(registry, call);
      return refusal !== undefined && (refused += 1) > 1 ? undefined : refusal;
    },
  };
};

/** A member whose range is not checked. */
export function rangeUnchecked(member: string): Replace {
  return ({ misfitMembers }) => ({
    misfitMembers: (registry, call) =>
      misfitMembers(registry, call).filter(
        ({ at, keyword }) => at !== `body.${member}` || !['minimum', 'maximum'].includes(keyword),
      ),
  });
}

// --- internal ---

/** Long enough for requests on different sockets to meet. */
const RACE_MS = 25;
