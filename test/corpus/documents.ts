/** A published package that carries OpenAPI documents. It is fetched for a run and not depended on: some are large. */
export interface CorpusPackage {
  /** Name and version, as the registry's client takes them. */
  readonly package: string;
  readonly maker: string;
  /** Paths in the package; a folder stands for every document in it. */
  readonly documents: readonly string[];
}

export const corpusPackages: readonly CorpusPackage[] = [
  {
    package: '@octokit/openapi@23.0.2',
    maker: 'GitHub',
    // The second one has more than 1,000 schemas.
    documents: ['generated/api.github.com.json', 'generated/ghec.json'],
  },
  {
    package: '@octokit/openapi-webhooks@12.1.0',
    maker: 'Octokit',
    documents: ['generated/api.github.com.json'],
  },
  { package: '@blockfrost/openapi@0.1.93', maker: 'Blockfrost', documents: ['openapi.yaml'] },
  { package: '@figma/rest-api-spec@0.43.0', maker: 'Figma', documents: ['openapi/openapi.yaml'] },
  { package: '@directus/specs@15.2.0', maker: 'Directus', documents: ['dist/openapi.json'] },
  {
    package: '@ideal-postcodes/openapi@4.21.0',
    maker: 'Ideal Postcodes',
    documents: ['dist/openapi.json', 'dist/openapi.yaml'],
  },
  { package: '@netlify/open-api@2.60.0', maker: 'Netlify', documents: ['dist/swagger.json'] },
  {
    package: '@digdir/dialogporten-schema@1.40.0',
    maker: 'Digdir',
    documents: ['swagger.verified.json'],
  },
  {
    package: '@shipengine/connect-fulfillment-provider-api@4.6.0',
    maker: 'ShipEngine',
    documents: ['spec.yaml', 'spec.json'],
  },
  { package: '@dcl/catalyst-api-specs@3.8.0', maker: 'Decentraland', documents: ['.'] },
  {
    package: '@scalar/galaxy@0.2.20',
    maker: 'Scalar',
    documents: ['dist/3.1.yaml', 'dist/latest.json'],
  },
  {
    package: '@readme/oas-examples@8.2.2',
    maker: 'ReadMe',
    documents: [
      ...['callbacks', 'circular-request-bodies', 'complex-nesting', 'discriminators', 'parameters-style'],
      ...['parameters-extreme', 'polymorphism', 'schema-circular', 'schema-types', 'security', 'star-trek'],
      'readme-legacy',
    ]
      .map((name) => `3.0/json/${name}.json`)
      .concat(['3.1/json/petstore.json', '3.1/json/webhooks.json', '2.0/json/petstore.json']),
  },
];

/** Compilers that generated code has to please. The first one is this package's own. */
export const compilers: readonly { readonly name: string; readonly package: string | undefined }[] = [
  { name: '5.9', package: undefined },
  { name: '6.0', package: 'typescript@~6.0.0' },
  { name: '7.0', package: 'typescript@~7.0.0' },
];
