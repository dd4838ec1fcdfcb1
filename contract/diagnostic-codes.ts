import type { Diagnostic, SourceLocation } from './model.ts';

/** Every diagnostic that reading a contract can give, with its severity; docs/diagnostics.md explains each. */
export const diagnosticCodes = {
  'contract-name': 'error',
  'file-missing': 'error',
  'file-unreadable': 'error',
  'file-too-large': 'error',
  'file-empty': 'error',
  'file-encoding': 'error',
  syntax: 'error',
  'duplicate-key': 'error',
  'several-documents': 'error',
  'not-a-mapping': 'error',
  'not-json': 'error',
  'too-deep': 'error',
  'alias-unknown': 'error',
  'alias-cycle': 'error',
  'alias-bomb': 'error',
} as const satisfies Record<string, Diagnostic['severity']>;

export type DiagnosticCode = keyof typeof diagnosticCodes;

export interface ProblemDetails {
  readonly help?: string | undefined;
  readonly location?: SourceLocation | undefined;
  readonly pointer?: string | undefined;
}

/** A diagnostic of a known code. */
export function problem(code: DiagnosticCode, message: string, details: ProblemDetails = {}): Diagnostic {
  const { help, location, pointer } = details;
  return {
    code,
    severity: diagnosticCodes[code],
    message,
    ...(help === undefined ? {} : { help }),
    ...(location === undefined ? {} : { location }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}
