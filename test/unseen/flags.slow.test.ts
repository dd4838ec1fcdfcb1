// @module-tag long
import { FLAG_FAULTS } from './flags/faults.ts';
import { measuredFlags, measuredFlagsFree } from './flags/measured.ts';
import { measureSet } from './measured-set.ts';

const noticed = [
  'rollout-rounded-by-patch',
  'patch-race',
  'descending-turns',
  'filters-not-together',
  'other-account-switches',
  'other-account-audit',
  'flags-outlive-environment',
  'deleted-environments-count',
  'request-id-lost-on-304',
  'archiving-keeps-tag',
  'labels-replaced-whole',
  'equal-rollouts-lost',
  'name-in-utf16',
  'rules-keep-tag',
  'create-race',
];

measureSet('flags', measuredFlags, FLAG_FAULTS, noticed);

/** Another form: calls that archive name no version, and the bodies of the fixtures have more members. */
measureSet('flags, archived without If-Match', measuredFlagsFree, FLAG_FAULTS, [
  ...noticed,
  'description-null',
  'replace-keeps-rollout',
]);
