import { inputFailures } from './model-input.ts';
import { badCursor, limitOf, page, startOf } from './model-list.ts';
import { suggestable } from './model-lookup.ts';
import { policyRefusal } from './run.ts';
import { isCurrent } from './schema-document.ts';

/** What a deviation can put something else in the place of. */
export const routerMechanisms = {
  ...{ limitOf, startOf, page, badCursor, suggestable, inputFailures, policyRefusal, isCurrent },
};

export type RouterMechanisms = Readonly<typeof routerMechanisms>;
