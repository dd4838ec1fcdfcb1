import { portableName } from '../manifest.ts';
import type { Render } from '../render.ts';
import type { ApiView } from '../views/api.ts';
import type { TypePrinter } from './type-printer.ts';

/** The printing functions that every emitter uses. */
export interface Output {
  readonly render: Render;
  readonly types: TypePrinter;
  /** The extension of relative import specifiers. */
  readonly importExtension: 'js' | 'ts';
}

/** The text of a file: its header, then a template. */
export function printed(output: Output, api: ApiView, template: string, view: object): string {
  return (
    output.render('header', { document: portableName(api.contract.document.file) }) +
    output.render(template, view)
  );
}
