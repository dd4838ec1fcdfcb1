import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { JournalEntry, JournalMessage } from '../../journal/journal.ts';
import { parsed, pathOf } from '../json-lines.ts';
import { CopyButton } from '../parts.tsx';
import { JsonBlock } from './json-block.tsx';

type Finding = JournalEntry['requestFindings'][number];

/** A request or a response. The places of findings are marked. */
export function Message(props: {
  readonly title: string;
  readonly place: string;
  readonly message: JournalMessage;
  readonly findings: readonly Finding[];
  readonly target?: string;
}): JSX.Element {
  const { title, message, findings, target = '' } = props;
  const query = useMemo(() => [...new URLSearchParams(target.split('?')[1] ?? '')], [target]);
  const pointed = (place: string, name: string): boolean =>
    findings.some(({ at }) => at.toLowerCase() === `${place}.${name.toLowerCase()}`);
  return (
    <section>
      <h3>{title}</h3>
      {query.length === 0 ? null : (
        <dl class="pairs">
          {query.map(([name, value], index) => (
            <Pair key={index} name={`?${name}`} value={value} marked={pointed('query', name)} />
          ))}
        </dl>
      )}
      <details open={findings.some(({ at }) => at.startsWith('header'))}>
        <summary>{message.headers.length} header lines</summary>
        <dl class="pairs">
          {message.headers.map(([name, value], index) => (
            <Pair
              key={index}
              name={name}
              value={value}
              marked={pointed('headers', name) || pointed('header', name)}
            />
          ))}
        </dl>
      </details>
      <Body text={message.body} findings={findings} />
    </section>
  );
}

// --- internal ---

function Pair(props: {
  readonly name: string;
  readonly value: string;
  readonly marked: boolean;
}): JSX.Element {
  return (
    <div class={props.marked ? 'marked' : undefined}>
      <dt class="mono">{props.name}</dt>
      <dd class="mono breaks">{props.value}</dd>
    </div>
  );
}

function Body(props: { readonly text: string; readonly findings: readonly Finding[] }): JSX.Element {
  const { text, findings } = props;
  const value = useMemo(() => parsed(text), [text]);
  const marked = useMemo(
    () =>
      findings.flatMap(({ at }) => {
        const path = pathOf(at, 'body', value);
        return path === undefined ? [] : [path];
      }),
    [findings, value],
  );
  if (text === '') return <p class="soft">No body.</p>;
  return (
    <div class="body">
      {value === undefined ? (
        <pre class="code" tabIndex={0} aria-label="Body">
          {text}
        </pre>
      ) : (
        <JsonBlock label="Body" value={value} marked={marked} />
      )}
      <CopyButton what="the body" text={() => text}>
        Copy
      </CopyButton>
    </div>
  );
}
