// The library's own door costs half a second more: it loads a linter and a bundler, which we do not let near a document.
declare module 'openapi-typescript/dist/transform/schema-object.cjs' {
  // eslint-disable-next-line import-x/no-default-export -- that is how the library exports it
  export { transformSchemaObject as default } from 'openapi-typescript';
}
