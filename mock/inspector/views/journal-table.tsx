import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JournalEntry } from '../../journal/journal.ts';
import { callerName } from '../caller-name.ts';
import { timeOfDay } from '../clock-time.ts';
import { Badge, Elapsed, Status } from '../parts.tsx';
import { address, go } from '../route.ts';
import { windowOf } from '../window.ts';
import type { JournalRow } from './journal-rows.ts';

/** The height of a row, as in the style sheet. On a narrow screen, a row has two lines. */
function rowHeightOf(scroller: HTMLElement): number {
  return Number.parseInt(getComputedStyle(scroller).getPropertyValue('--row'), 10);
}

/** The rows of the journal. Only visible rows are drawn, so that two thousand cost no more than twenty. */
export function JournalTable(props: {
  readonly rows: readonly JournalRow[];
  readonly chosen: string | undefined;
  readonly search: string;
}): JSX.Element {
  const { rows, chosen, search } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ scrollTop: 0, height: 900, rowHeight: 34 });
  const look = (): void => {
    const { current } = scroller;
    if (current === null) return;
    const { scrollTop, clientHeight } = current;
    setPlace({ scrollTop, height: clientHeight, rowHeight: rowHeightOf(current) });
  };
  useLayoutEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  const shift = useKeptPlace(scroller, rows, look);
  const isShown = rows.some(({ name }) => name === chosen);
  useEffect(() => {
    const index = rows.findIndex(({ name }) => name === chosen);
    if (index >= 0) bringIntoView(scroller.current, index);
    // Scroll when another row is chosen or the chosen row appears, but not for new rows.
  }, [chosen, isShown]);
  const { first, end, above, below } = windowOf({
    rows: rows.length,
    ...place,
    scrollTop: place.scrollTop + shift,
  });
  if (rows.length === 0) return <p class="empty">No exchange matches this search.</p>;
  return (
    <div class="rows" ref={scroller} onScroll={look} tabIndex={0} role="region" aria-label="Exchanges">
      <table class="list windowed" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col">Method</th>
            <th scope="col" class="wide">
              Target
            </th>
            <th scope="col" class="extra">
              Caller
            </th>
            <th scope="col" class="extra">
              Key
            </th>
            <th scope="col" class="number extra">
              ms
            </th>
            <th scope="col" class="notes">
              Notes
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap height={above} />
          {rows.slice(first, end).map((row, index) => (
            <Row
              key={row.entry.id}
              row={row}
              index={first + index + 2}
              search={search}
              isChosen={row.name === chosen}
            />
          ))}
          <Gap height={below} />
        </tbody>
      </table>
    </div>
  );
}

/** Badges for an exchange. */
export function Notes({ entry }: { readonly entry: JournalEntry }): JSX.Element {
  const { requestFindings, responseFindings, assumptions, replayed, billed, delivery } = entry;
  // If the model id already names the scenario, a badge would repeat it.
  const scenario = entry.target.includes(`/mock/${entry.scenario ?? ''}`) ? undefined : entry.scenario;
  const findings = [...requestFindings, ...responseFindings].filter(
    ({ severity }) => severity === undefined,
  ).length;
  const [assumed, ...more] = assumptions;
  return (
    <span class="badges">
      {findings > 0 ? (
        <Badge tone="bad" title={`${findings} findings against the document`}>
          contract ✖
        </Badge>
      ) : null}
      {delivery === undefined ? <Badge tone="info">in progress</Badge> : null}
      {delivery === 'dropped' || delivery === 'short' ? <Badge tone="bad">{delivery}</Badge> : null}
      {replayed ? <Badge tone="info">replayed</Badge> : null}
      {scenario === undefined ? null : <Badge tone="odd">{scenario}</Badge>}
      {billed === true ? <Badge tone="accent">billed</Badge> : null}
      {assumed === undefined ? null : (
        <Badge tone="warn" title={`The contract leaves this open: ${assumptions.join(', ')}`}>
          assumed {assumed}
          {more.length > 0 ? ` +${more.length}` : ''}
        </Badge>
      )}
    </span>
  );
}

/** Whether there is an answer. A call that is being decided has no number and no status yet. */
export function hasAnswer({ number }: JournalEntry): boolean {
  return number > 0;
}

// --- internal ---

function Row(props: {
  readonly row: JournalRow;
  readonly index: number;
  readonly search: string;
  readonly isChosen: boolean;
}): JSX.Element {
  const { row, index, search, isChosen } = props;
  const { name, entry, since } = row;
  return (
    <tr
      aria-rowindex={index}
      class={isChosen ? 'chosen' : undefined}
      onClick={() => {
        go('journal', name, search);
      }}
    >
      <td class="mono soft">{timeOfDay(entry.at)}</td>
      <td>
        <Status status={hasAnswer(entry) ? entry.status : undefined} />
      </td>
      <td class="mono">{entry.method}</td>
      <td class="mono cut target">
        <a
          href={address('journal', name, search)}
          data-row={name}
          aria-current={isChosen ? 'true' : undefined}
          title={entry.target}
        >
          <bdi>{entry.target}</bdi>
        </a>
      </td>
      <td class="cut extra">{callerName(entry.caller)}</td>
      <td class="mono cut extra" title={entry.key}>
        {entry.key ?? ''}
      </td>
      <td class="number soft extra">
        {since === undefined ? Math.round(entry.durationMs) : <Elapsed since={since} />}
      </td>
      <td class="notes">
        <Notes entry={entry} />
      </td>
    </tr>
  );
}

/** One cell per row: spanning more columns than are visible would add empty columns to the table. */
function Gap({ height }: { readonly height: number }): JSX.Element | null {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" style={{ height: `${height}px` }}>
      <td />
    </tr>
  );
}

/**
 * New rows are added at the top. A reader who has scrolled down, or has selected a row by keys, keeps seeing the same
 * rows. The offset is computed before drawing, because a row that is omitted for a moment loses its focus.
 */
function useKeptPlace(
  scroller: { readonly current: HTMLDivElement | null },
  rows: readonly JournalRow[],
  look: () => void,
): number {
  const before = useRef(rows);
  const { current } = scroller;
  const top = before.current[0]?.entry.id;
  const added = before.current === rows ? 0 : rows.findIndex(({ entry }) => entry.id === top);
  const shift = current !== null && added > 0 && isHeld(current) ? added * rowHeightOf(current) : 0;
  useLayoutEffect(() => {
    before.current = rows;
    if (current === null || shift === 0) return;
    current.scrollTop += shift;
    look();
  }, [rows]);
  return shift;
}

function isHeld(scroller: HTMLElement): boolean {
  const { activeElement } = document;
  const isAtRow = activeElement !== scroller && scroller.contains(activeElement);
  return isAtRow || scroller.scrollTop > rowHeightOf(scroller);
}

function bringIntoView(scroller: HTMLDivElement | null, index: number): void {
  if (scroller === null) return;
  const height = rowHeightOf(scroller);
  const top = index * height;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + 2 * height > scrollTop + clientHeight) scroller.scrollTop = top + 2 * height - clientHeight;
}
