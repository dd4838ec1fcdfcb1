import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

/** A column: its title, and what stands in it. */
export interface Column<Row> {
  readonly title: string;
  /**
   * `name`: what the row is called; `number`; `short`: never broken into lines; `wide`: alone in its line where the table is
   * narrow; `acts`: what can be done, whose title is only read out.
   */
  readonly is?: 'name' | 'number' | 'short' | 'wide' | 'acts';
  readonly cell: (row: Row) => ComponentChildren;
}

/** A table. Where it is narrow, each row becomes a block, with the titles beside what stands in it. */
export function List<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row) => string;
  readonly chosen?: string | undefined;
}): JSX.Element {
  const { columns, rows: all, nameOf, chosen } = props;
  const [most, show] = useState(MOST_AT_ONCE);
  const at = all.findIndex((row) => nameOf(row) === chosen);
  const rows = all.slice(0, Math.max(most, at + 1));
  return (
    <>
      <table class="list blocks">
        <thead>
          <tr>
            {columns.map(({ title, is }) => (
              <th key={title} scope="col" class={is}>
                {is === 'acts' ? <span class="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const name = nameOf(row);
            return (
              <tr key={name} class={name === chosen ? 'chosen' : undefined}>
                {columns.map(({ title, is, cell }) => (
                  <td key={title} class={is} data-title={title}>
                    {is === 'acts' ? <span class="row end">{cell(row)}</span> : cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length === all.length ? null : (
        <button
          type="button"
          class="more"
          onClick={() => {
            show(rows.length + MOST_AT_ONCE);
          }}
        >
          {all.length - rows.length} more
        </button>
      )}
    </>
  );
}

/** Each row is drawn whole: thousands at once would be slow. */
const MOST_AT_ONCE = 100;

/** A count; nothing is not worth a look. */
export function Count({ of }: { readonly of: number }): JSX.Element {
  return of === 0 ? <span class="soft">0</span> : <>{of}</>;
}
