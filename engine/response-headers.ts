import { statusName } from './answer-content.ts';
import type { Judge } from './judge.ts';
import type { ServedOperation } from './served-api.ts';
import { readParameter } from './parameters.ts';

/** The headers of an answer that violate the document. Undeclared headers are always allowed. */
export function headerMisfits(
  operation: ServedOperation,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  judge: Judge,
): readonly string[] {
  // A status that is declared without headers has none, even if the default has some.
  const described = statusName(operation.responses, status);
  const declared = described === undefined ? [] : (operation.responseHeaders?.[described] ?? []);
  return declared.flatMap(({ name, required, style = 'simple', explode = false, reads, schema }) => {
    const value = readParameter(
      { name, in: 'header', style, explode, ...(reads === undefined ? {} : { reads }) },
      { segments: {}, query: '', headers },
    );
    if (value === undefined) return required === true ? [`the header ${name} is missing`] : [];
    const judged = schema === undefined ? undefined : judge(schema, value);
    if (judged?.ok !== false) return [];
    return judged.errors.map(
      ({ pointer, message }) => `the header ${name}${pointer && ` at ${pointer}`} ${message}`,
    );
  });
}
