import { signal } from '@preact/signals';
import type { OperationShape } from '../../control/reference-shape.ts';
import { parsed } from '../json-lines.ts';
import { state } from '../live.ts';
import type { Sent } from '../send.ts';

/** The request that is being composed. It is kept while the reader visits other views. */
export interface Draft {
  readonly operation: OperationShape;
  readonly target: string;
  readonly caller: string;
  readonly key: string;
  readonly scenario: string;
  readonly headers: string;
  readonly body: string;
}

export const draft = signal<Draft | undefined>(undefined);

/** What the mock has answered so far. */
export const answer = signal<Sent | undefined>(undefined);

/** The first draft of an operation: its example call. */
export function draftOf(operation: OperationShape): Draft {
  const { call, path } = operation;
  const text = call?.body ?? '';
  const json = text === '' ? undefined : parsed(text);
  return {
    operation,
    target: call?.target ?? path,
    ...{ caller: '', key: '', scenario: '' },
    headers: (call?.headers ?? []).map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: json === undefined ? text : JSON.stringify(json, undefined, 2),
  };
}

/** The headers of a draft, with its caller, key and scenario. */
export function headersOf({ headers, caller, key, scenario, operation }: Draft): [string, string][] {
  const value = state.value?.apis.find(({ name }) => name === operation.api)?.credential.value ?? '';
  const lines = headers
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line): [string, string] => {
      const [name = '', ...rest] = line.split(':');
      const text = rest.join(':').trim();
      const isCredential = caller !== '' && value !== '' && text.endsWith(value);
      return [name.trim(), isCredential ? `${text}+${caller}` : text];
    });
  const { keyHeader } = operation;
  return [
    ...lines,
    ...(key === '' || keyHeader === undefined ? [] : [[keyHeader, key] as [string, string]]),
    ...(scenario === '' ? [] : [['Prefer', scenario] as [string, string]]),
  ];
}

/** A text area has only line feeds, but the parts of a form need carriage returns too. */
export function bodyOf({ headers, body }: Draft): string {
  return /^content-type:\s*multipart\//im.test(headers) ? body.replace(/\r?\n/g, '\r\n') : body;
}
