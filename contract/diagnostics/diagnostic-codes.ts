import type { Diagnostic, SourceLocation } from '../model.ts';

/**
 * Every diagnostic that reading a contract can report, with its severity; docs/diagnostics.md explains each.
 */
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
  'file-unreachable': 'error',
  'too-many-files': 'error',
  'ref-malformed': 'error',
  'ref-refused': 'error',
  'ref-remote': 'error',
  'ref-anchor': 'error',
  'ref-dynamic': 'error',
  'ref-dangling': 'error',
  'ref-kind': 'error',
  'ref-loop': 'error',
  'ref-chain': 'error',
  'schema-id': 'warning',
  'openapi-version': 'error',
  repaired: 'warning',
  'overlay-invalid': 'error',
  'overlay-unmatched': 'warning',
  'document-invalid': 'error',
  'schema-invalid': 'error',
  'schema-not-3.0': 'warning',
  'no-operations': 'warning',
  'path-twice': 'warning',
  'path-in-two-documents': 'warning',
  'operation-id-twice': 'error',
  'parameter-twice': 'error',
  'path-parameter-missing': 'error',
  'path-parameter-twice': 'error',
  'path-parameter-unknown': 'error',
  'security-unknown': 'error',
  'schema-type-missing': 'warning',
  'schema-contradicts': 'warning',
  'stream-untyped': 'warning',
  'pattern-invalid': 'error',
  'pattern-not-unicode': 'warning',
  'pattern-costly': 'warning',
  'keyword-unknown': 'warning',
  'ref-siblings': 'warning',
  'sheet-invalid': 'error',
  'sheet-policy-unknown': 'error',
  'sheet-policy-absent': 'error',
  'sheet-operation-unknown': 'error',
  'sheet-bucket-unknown': 'error',
  'sheet-parameter-unknown': 'error',
  'sheet-schema-unknown': 'error',
  'sheet-state-unknown': 'error',
  'sheet-case-unknown': 'error',
  'sheet-contradicts': 'error',
  'sheet-status-undeclared': 'warning',
  'sheet-name-doubtful': 'warning',
  'sheet-rule-unjudged': 'warning',
  'sheet-id-twice': 'error',
  'too-many-problems': 'error',
} as const satisfies Record<string, Diagnostic['severity']>;

export type DiagnosticCode = keyof typeof diagnosticCodes;

export interface ProblemDetails {
  readonly help?: string | undefined;
  readonly location?: SourceLocation | undefined;
  readonly pointer?: string | undefined;
}

/** Makes a diagnostic with a known code. */
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
