import { inputFailures } from './model-input.ts';
import { badCursor, limitOf, page, startOf } from './model-list.ts';
import { suggestable } from './model-lookup.ts';
import { policyRefusal } from './run.ts';
import { isCurrent } from './schema-document.ts';

/** The parts that a deviation can replace. */
export const routerMechanisms = {
  ...{ limitOf, startOf, page, badCursor, suggestable, inputFailures, policyRefusal, isCurrent },
};

export type RouterMechanisms = Readonly<typeof routerMechanisms>;
