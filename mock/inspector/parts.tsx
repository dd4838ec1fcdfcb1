import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { duration } from './clock-time.ts';
import { notice } from './control-client.ts';
import { address, replaceSearch } from './route.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'odd' | 'accent' | 'none';

export function Badge(props: {
  readonly tone?: Tone;
  readonly href?: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { tone = 'none', href, title, children } = props;
  return href === undefined ? (
    <span class="badge" data-tone={tone} title={title}>
      {children}
    </span>
  ) : (
    <a class="badge" data-tone={tone} href={href} title={title}>
      {children}
    </a>
  );
}

/** A status code; 0 means a cut connection, and `undefined` means no answer yet. */
export function Status({ status }: { readonly status: number | undefined }): JSX.Element {
  if (status === undefined)
    return (
      <span class="status" data-tone="info" title="No answer yet">
        …
      </span>
    );
  return (
    <span class="status" data-tone={toneOf(status)}>
      {status === 0 ? 'cut' : status}
    </span>
  );
}

function toneOf(status: number): Tone {
  if (status === 0 || status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  return status >= 300 ? 'info' : 'good';
}

/** The head of a view: its title, its purpose and its actions. */
export function Head(props: {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <header class="head">
      <div class="lead">
        <h1>{props.title}</h1>
        <p>{props.about}</p>
      </div>
      {props.children === undefined ? null : <div class="actions">{props.children}</div>}
    </header>
  );
}

/**
 * A button whose action takes a while. A second press during that time is ignored, because a call that is
 * sent twice is charged twice. The button is not disabled, so that it keeps the focus.
 */
export function ActButton(props: {
  readonly act: () => Promise<unknown>;
  readonly class?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  /** For a toggle: whether it is on. */
  readonly pressed?: boolean;
  readonly type?: 'button' | 'submit';
  readonly children: ComponentChildren;
}): JSX.Element {
  const { act, title, disabled, pressed, type = 'button', children } = props;
  const acts = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const done = (): void => {
    acts.current = false;
    setBusy(false);
  };
  const press = (): void => {
    if (acts.current) return;
    acts.current = true;
    setBusy(true);
    act().then(done, done);
  };
  return (
    <button
      type={type}
      class={props.class ?? 'small'}
      title={title}
      disabled={disabled}
      aria-pressed={pressed}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={press}
    >
      {children}
    </button>
  );
}

/** The elapsed time, by the clock of this machine: the mock's clock may be stopped. */
export function Elapsed({ since }: { readonly since: number }): JSX.Element {
  const [, turn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      turn((count) => count + 1);
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const passed = Date.now() - since;
  return <span class="elapsed">{passed < 1_000 ? '0 s' : duration(passed)}</span>;
}

/** The search field of a view. The address contains the query. */
export function SearchField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
}): JSX.Element {
  return (
    <span class="field">
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.placeholder}
        value={props.value}
        spellcheck={false}
        onInput={(event) => {
          replaceSearch(event.currentTarget.value);
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

/** Links to the latest exchanges, by number. */
export function ExchangeNumbers(props: {
  readonly of: readonly number[];
  readonly most: number;
}): JSX.Element {
  const { of, most } = props;
  return (
    <span class="numbers">
      {of.length > most ? <span class="soft">{of.length - most} before, </span> : null}
      {of.slice(-most).map((number) => (
        <a key={number} href={address('journal', String(number))}>
          #{number}
        </a>
      ))}
    </span>
  );
}

/** Copies a text and confirms it. `what` names the text if the label does not. */
export function CopyButton(props: {
  readonly text: () => string;
  readonly what?: string;
  readonly children: string;
}): JSX.Element {
  const { what, children } = props;
  const copy = (): void => {
    navigator.clipboard.writeText(props.text()).then(
      () => {
        notice.value = { kind: 'done', text: `Copied: ${what ?? children}` };
      },
      () => {
        notice.value = { kind: 'problem', text: 'This browser does not allow the page to copy.' };
      },
    );
  };
  return (
    <button
      type="button"
      class="small"
      aria-label={what === undefined ? undefined : `${children} ${what}`}
      onClick={copy}
    >
      {children}
    </button>
  );
}

/** Shown while something is loaded for the first time, and if that fails. */
export function Waiting({ problem }: { readonly problem: string | undefined }): JSX.Element {
  return <p class="empty">{problem === undefined ? 'Loading …' : `Loading failed. ${problem}`}</p>;
}
