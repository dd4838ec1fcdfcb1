import type { Model } from './catalogue.ts';

/**
 * What the router adds to the control API.
 *
 * | path     | GET         | others                                                               |
 * | -------- | ----------- | -------------------------------------------------------------------- |
 * | `models` | `ModelList` | PUT, PATCH, DELETE `models/{provider}/{model}`, POST `CatalogueStep` |
 */
export interface ModelList {
  readonly models: readonly (Model & { readonly id: string })[];
}

/** `rebuild`: as if the catalogue had been created again; earlier cursors become invalid. */
export interface CatalogueStep {
  readonly do: 'rebuild';
}
