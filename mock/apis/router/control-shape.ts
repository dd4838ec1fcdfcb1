import type { Model } from './catalogue.ts';

/** The catalogue of models. */
export interface ModelList {
  readonly models: readonly (Model & { readonly id: string })[];
}

/** `rebuild`: as if the catalogue had been created again; earlier cursors become invalid. */
export interface CatalogueStep {
  readonly do: 'rebuild';
}
