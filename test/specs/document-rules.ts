/**
 * The rules that are judged on our own documents: those of the audience `document`, and those of other audiences that
 * a document can break as well. A check gives what it found wrong; `breaks` proves that it can.
 */
import type { Json } from '../../contract/model.ts';
import type { DocumentCheck } from './document-gate.ts';
import { jobsDocumentRules } from './jobs-document-rules.ts';
import { registryDocumentRules } from './registry-document-rules.ts';
import { routerDocumentRules } from './router-document-rules.ts';

export interface DocumentRule {
  readonly id: string;
  readonly check: DocumentCheck;
  readonly breaks: readonly Break[];
}

/** Sets the value at a place of the document; `undefined` removes it. */
export interface Break {
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

export const documentRules: Readonly<Record<string, readonly DocumentRule[]>> = {
  router: routerDocumentRules,
  registry: registryDocumentRules,
  jobs: jobsDocumentRules,
};
