import { isRecord, type PolicyOf } from '../../../contract/index.ts';
import type { Contract } from '../../../contract/model.ts';
import { joinPointer, valueAt } from '../../../contract/pointer.ts';
import { asStatus, onBody, put } from '../changes.ts';
import { bodyFits, isSuccess, when } from '../conditions.ts';
import { documented, type Ways } from './broken.ts';
import { takesLongText } from './thing-members.ts';

/** Ways to show a member that must be hidden. They apply to answers that are the resource. */
export function presenceWays({ property, operations }: PolicyOf<'presence'>): Ways {
  return {
    'absent~null': [
      when(
        [isSuccess, (_, { operation }) => !operations.includes(operation?.id ?? '')],
        onBody('any', (body) => ({ ...body, [property]: null })),
      ),
      documented('the document may forbid null as well', 'answer'),
    ],
  };
}

/** Ways to give a broken address. */
export function linkWays({ property }: PolicyOf<'links'>): Ways {
  const path = property.split('.');
  return relativeAddress((body) => {
    const links = valueAt(body, joinPointer('', ...path));
    if (!isRecord(links)) return body;
    return put(body, path, Object.fromEntries(Object.keys(links).map((name) => [name, 'here'])));
  });
}

/** Values that the document allows are refused: zero, the truth value that says no, texts of two lines and empty lists. */
export function acceptedWays(contract: Contract, { accepts = {} }: PolicyOf<'diagnostics'>): Ways {
  const operations = Object.keys(accepts);
  const withTexts = operations.filter((id) => takesLongText(contract, id, accepts[id] ?? []));
  return operations.length === 0
    ? {}
    : {
        'accepted~some-refused': [
          {
            operations,
            onReply: when(
              [
                isSuccess,
                bodyFits((body) => /(?<![\d.])0(?![\d.])|false|\\n|\[\]/.test(JSON.stringify(body))),
              ],
              asStatus(400),
            ),
          },
          documented('the status may be none that the document declares', 'status', 'answer'),
        ],
        ...(withTexts.length === 0
          ? {}
          : {
              'accepted~long-by-its-bytes': [
                {
                  operations: withTexts,
                  onReply: when(
                    [isSuccess, bodyFits((body) => /[^ -~]{40}/.test(JSON.stringify(body)))],
                    asStatus(400),
                  ),
                },
                documented('the status may be none that the document declares', 'status', 'answer'),
              ],
            }),
      };
}

export function uploadWays({ address }: PolicyOf<'upload'>): Ways {
  return relativeAddress((body) => put(body, address.split('.'), 'here'));
}

// --- internal ---

function relativeAddress(change: Parameters<typeof onBody>[1]): Ways {
  return {
    'address~relative': [
      when(isSuccess, onBody('any', change)),
      documented('the document may describe the address as well', 'answer'),
    ],
  };
}
