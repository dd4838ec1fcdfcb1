import type { ComponentChildren, JSX } from 'preact';
import { notice } from './control-client.ts';

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

/** A status line as a number; 0 is a connection that was cut. */
export function Status({ status }: { readonly status: number }): JSX.Element {
  return (
    <span class="status" data-tone={toneOf(status)}>
      {status === 0 ? 'cut' : status}
    </span>
  );
}

export function toneOf(status: number): Tone {
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

/** Copies a text and says so. */
export function CopyButton(props: { readonly text: () => string; readonly children: string }): JSX.Element {
  const copy = (): void => {
    navigator.clipboard.writeText(props.text()).then(
      () => {
        notice.value = { kind: 'done', text: `Copied: ${props.children}` };
      },
      () => {
        notice.value = { kind: 'problem', text: 'This browser does not let the page copy.' };
      },
    );
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {props.children}
    </button>
  );
}

/** While it is read for the first time, and when it cannot be read. */
export function Waiting({ problem }: { readonly problem: string | undefined }): JSX.Element {
  return <p class="empty">{problem === undefined ? 'Reading …' : `This cannot be read. ${problem}`}</p>;
}
