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

/** A status line as a number; 0 is a connection that was cut, and `undefined` an answer that is to come. */
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

/** The head of a view: its name, what it is for, and what can be done. */
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
 * A button whose act takes a while. Pressed again meanwhile it does nothing, however quickly: a call that is sent twice is
 * charged twice. It stays enabled for the browser, so that it keeps its focus.
 */
export function ActButton(props: {
  readonly act: () => Promise<unknown>;
  readonly class?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  /** Whether what it turns on is on. */
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

/** How long something goes on already. The time of this machine: that of the mock may stand still. */
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

/** The search of a view, which stands in the address. */
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

/** Exchanges by their numbers: the latest of them. */
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

/** Copies a text and says so; `what` it is, where the button does not say that. */
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
        notice.value = { kind: 'problem', text: 'This browser does not let the page copy.' };
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

/** While it is read for the first time, and when it cannot be read. */
export function Waiting({ problem }: { readonly problem: string | undefined }): JSX.Element {
  return <p class="empty">{problem === undefined ? 'Reading …' : `This cannot be read. ${problem}`}</p>;
}
