import type { Statement } from './ajv-code.ts';

/**
 * Leaves out variables that are never read, assignments to them, and branches that are empty then. ajv leaves such
 * behind, and compilers complain about them. What initialises them has no effect but its value.
 */
export function withoutUnread(statements: readonly Statement[]): readonly Statement[] {
  const reads = new Reads(statements);
  let current = statements;
  for (;;) {
    const before = reads.dropped;
    const next = current.flatMap((statement) => clean(statement, reads));
    if (reads.dropped === before) return next;
    current = next;
  }
}

// --- internal ---

/** How often each name is read: wherever it stands but where it is declared or assigned to. */
class Reads {
  dropped = 0;
  readonly #counts = new Map<string, number>();

  constructor(statements: readonly Statement[]) {
    for (const statement of statements) this.#count(statement);
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  /** Forgets what is read by code that is left out. */
  drop(text = ''): void {
    this.dropped += 1;
    this.#add(text, -1);
  }

  #add(text: string, change: number): void {
    for (const name of text.match(/[\w$]+/g) ?? [])
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + change);
  }

  #count(statement: Statement): void {
    switch (statement.kind) {
      case 'declaration':
        return this.#add(statement.value ?? '', 1);
      case 'expression':
        return this.#add(assignment(statement.text)?.value ?? statement.text, 1);
      case 'if':
        this.#add(statement.condition, 1);
        for (const inner of statement.then) this.#count(inner);
        if (statement.otherwise !== undefined) this.#count(statement.otherwise);
        return;
      case 'for':
        this.#add(statement.head, 1);
        for (const inner of statement.body) this.#count(inner);
        return;
      case 'block':
        for (const inner of statement.body) this.#count(inner);
        return;
      case 'jump':
        return;
    }
  }
}

function assignment(text: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^([\w$]+) = (.*)$/s.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

function clean(statement: Statement, reads: Reads): Statement[] {
  switch (statement.kind) {
    case 'declaration':
      if (reads.has(statement.name)) return [statement];
      reads.drop(statement.value);
      return [];
    case 'expression': {
      const assigned = assignment(statement.text);
      if (assigned === undefined || reads.has(assigned.name)) return [statement];
      reads.drop(assigned.value);
      return [];
    }
    case 'block':
      return [{ kind: 'block', body: statement.body.flatMap((inner) => clean(inner, reads)) }];
    case 'for': {
      const body = statement.body.flatMap((inner) => clean(inner, reads));
      if (body.length > 0) return [{ ...statement, body }];
      reads.drop(statement.head);
      return [];
    }
    case 'if': {
      const { condition } = statement;
      const then = statement.then.flatMap((inner) => clean(inner, reads));
      const [cleaned] = statement.otherwise === undefined ? [] : clean(statement.otherwise, reads);
      const otherwise = cleaned?.kind === 'block' && cleaned.body.length === 0 ? undefined : cleaned;
      if (then.length > 0) return [{ kind: 'if', condition, then, otherwise }];
      if (otherwise === undefined) {
        reads.drop(condition);
        return [];
      }
      const body = otherwise.kind === 'block' ? otherwise.body : [otherwise];
      return [{ kind: 'if', condition: `!(${condition})`, then: body, otherwise: undefined }];
    }
    case 'jump':
      return [statement];
  }
}
