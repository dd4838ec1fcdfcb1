import { countsOf } from '../schema-suite/page.ts';
import { suiteOf } from '../schema-suite/suite.ts';
import { judge } from '../schema-suite/verdicts.ts';
import type { Row } from './rows.ts';
import { validatorSpeeds } from './validator-speeds.ts';

/** How fast guards are, and how often they and the mock are right, beside ajv. */
export async function validators(): Promise<readonly Row[]> {
  const { ours, ajv } = await validatorSpeeds();
  const speed = 'validator, list page of 100';
  const perSecond = (figure: number): string => `${(figure / 1000).toFixed(0)} k/s`;
  const counts = countsOf(DRAFT, await judge(DRAFT, suiteOf(DRAFT)));
  const verdicts = `JSON Schema Test Suite, 3.1 mandatory, right of ${counts.asked}`;
  const right = (who: string, figure: number | undefined, bar?: string): Row => ({
    what: verdicts,
    who,
    measured: String(figure),
    ...(bar === undefined ? {} : { bar }),
  });
  return [
    { what: speed, who: 'tallystick', measured: perSecond(ours) },
    {
      what: speed,
      who: 'ajv',
      measured: perSecond(ajv),
      ratio: Number((ours / ajv).toFixed(2)),
      bar: '2.2 x',
    },
    right('tallystick, guards', counts.guards, 'more than ajv'),
    right('tallystick, mock, with formats', counts.mock),
    right('ajv, formats as annotations', counts.ajv),
  ];
}

// --- internal ---

const DRAFT = 'draft-2020-12';
