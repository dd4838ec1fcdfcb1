import type { EngineFinding } from '../call/engine.ts';

/** The report of one of Prism's steps about one fault. */
interface Diagnostic {
  readonly path?: readonly (string | number)[] | undefined;
  readonly code?: string | number | undefined;
  readonly message: string;
  /** 0 is an error. Any other number, such as that of a deprecated parameter, is not a violation. */
  readonly severity?: number;
}

type Verdict =
  | { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] }
  | { readonly _tag: 'Right'; readonly right: unknown };

export function leftOf(verdict: Verdict): readonly Diagnostic[] {
  return verdict._tag === 'Left' ? verdict.left : [];
}

/** Prism throws on some hostile input, which is a verdict too. */
export function judge(check: () => readonly EngineFinding[]): readonly EngineFinding[] {
  try {
    return check();
  } catch (error) {
    return [
      {
        at: 'request',
        keyword: 'unreadable',
        message: error instanceof Error ? error.message : 'unreadable',
      },
    ];
  }
}

export function findingOf({ path, code, message, severity }: Diagnostic): EngineFinding {
  const inBody = path === undefined || path.length === 0;
  return {
    at: inBody ? 'body' : path.join('.'),
    keyword: String(code ?? ''),
    message,
    ...warningOf(severity),
  };
}

export function responseFinding(diagnostic: Diagnostic): EngineFinding {
  const about = diagnostic.message.startsWith('Unable to match the returned status')
    ? 'status'
    : 'content-type';
  if (diagnostic.path === undefined || diagnostic.path.length === 0) {
    return { at: about, keyword: 'undeclared', message: diagnostic.message };
  }
  return findingOf(diagnostic);
}

export function securityFinding({ code, message, severity }: Diagnostic): EngineFinding {
  const said = code === 401 ? 'the request has no credential that the operation accepts' : message;
  return { at: 'security', keyword: String(code ?? ''), message: said, ...warningOf(severity) };
}

// --- internal ---

function warningOf(severity = 0): Pick<EngineFinding, 'severity'> {
  return severity === 0 ? {} : { severity: 'warning' };
}
