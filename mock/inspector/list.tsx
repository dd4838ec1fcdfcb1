import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

/** A column: its title and its cells. */
export interface Column<Row> {
  readonly title: string;
  /**
   * `name`: the name of the row; `number`; `short`: never wrapped; `wide`: on a line of its own in a narrow table;
   * `acts`: buttons, with a title that only screen readers read.
   */
  readonly is?: 'name' | 'number' | 'short' | 'wide' | 'acts';
  readonly cell: (row: Row) => ComponentChildren;
}

/** A table. On a narrow screen, each row becomes a block with the titles beside the values. */
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

/** Rows are drawn completely, and thousands at once would be slow. */
const MOST_AT_ONCE = 100;

/** A count. Zero is shown in a quiet colour. */
export function Count({ of }: { readonly of: number }): JSX.Element {
  return of === 0 ? <span class="soft">0</span> : <>{of}</>;
}
