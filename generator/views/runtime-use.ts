import type { Expression } from '../printing.ts';

/** An export of the runtime that an operation names. */
export interface RuntimeUse {
  readonly module:
    | 'addresses'
    | 'answers'
    | 'bodies'
    | 'keys'
    | 'multipart'
    | 'parameters'
    | 'parts'
    | 'patience'
    | 'policies/retry'
    | 'secrets'
    | 'streams';
  readonly name: string;
}

/** Records that an operation uses an export of the runtime, and returns its name. */
export type Use = (module: RuntimeUse['module'], name: string) => string;

/** @param uses the list to which each use is added */
export function recorder(uses: RuntimeUse[]): Use {
  return (module, name) => {
    uses.push({ module, name });
    return name;
  };
}

/** An object literal; members without a value are left out. */
export function object(members: readonly (readonly [string, Expression | undefined])[]): Expression {
  return {
    members: members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  };
}

/** A list literal; `undefined` if it is empty. */
export function list(items: readonly Expression[]): Expression | undefined {
  return items.length === 0 ? undefined : { list: items };
}
