// @ts-check
/**
 * "Who may import whom" of ARCHITECTURE.md, as zones of the lint rule `import-x/no-restricted-paths`: a file under
 * `target` must not import what lies under `from`. Type imports count too.
 */

/** @typedef {{ target: string | string[], from: string | string[], except?: string[], message: string }} Zone */

const table = 'see "Who may import whom" in ARCHITECTURE.md';
const sources = [
  ...['./contract', './engine', './generator', './mock', './conformance', './cli', './server', './proxy'],
];

/** @param {string} folder @param {string[]} forbidden @returns {Zone[]} */
const apart = (folder, forbidden) =>
  forbidden.map((from) => ({
    target: `./${folder}`,
    from: `./${from}`,
    message: `${folder}/ must not import ${from}/: ${table}.`,
  }));

/** @type {Zone[]} */
export const foldersApart = [
  ...apart('contract', ['generator', 'mock', 'conformance', 'cli', 'generated']),
  ...apart('engine', ['generator', 'mock', 'conformance', 'cli', 'generated', 'server']),
  ...apart('generator', ['mock', 'conformance', 'cli', 'generated']),
  ...apart('mock', ['generator', 'conformance', 'cli', 'generated']),
  ...apart('conformance', ['contract/policies', 'engine', 'generator', 'mock', 'cli', 'generated']),
  ...apart('cli', ['contract/policies', 'engine', 'generated']),
  ...apart('server', ['generator', 'mock', 'conformance', 'cli', 'generated']),
  ...['contract', 'generator', 'mock', 'conformance', 'cli'].flatMap((folder) => apart(folder, ['server'])),
  ...apart('proxy', ['contract/policies', 'engine', 'generator', 'cli', 'generated', 'server']),
  ...['contract', 'engine', 'generator', 'mock', 'conformance', 'server', 'generated'].flatMap((folder) =>
    apart(folder, ['proxy']),
  ),
  {
    target: './server',
    from: './contract',
    except: ['./policies'],
    message: `of contract/, server/ imports the policies only: ${table}.`,
  },
  ...apart('generated', ['contract', 'engine', 'generator', 'mock', 'conformance', 'cli', 'node_modules']),
  {
    target: './contract/policies',
    from: './contract',
    except: ['./policies'],
    message: `contract/policies/ imports nothing outside itself, it is copied into users' repositories: ${table}.`,
  },
  ...['engine', 'generator/runtime', 'generator/server-runtime'].map((room) => ({
    target: `./${room}`,
    from: './contract',
    except: ['./policies'],
    message: `of contract/, ${room}/ imports the policies only: ${table}.`,
  })),
  {
    target: './generator/runtime',
    from: './engine',
    message: `generator/runtime/ is what clients are made of, engine/ what servers are made of: ${table}.`,
  },
  ...['runtime', 'server-runtime', 'validation'].map((room) => ({
    target: `./generator/${room}`,
    from: './generator',
    except: [`./${room}`],
    message: `generator/${room}/ is copied into users' repositories, the generator is not: ${table}.`,
  })),
  {
    // index.ts is the entry point, which re-exports the types of options.
    target: ['./mock/!(index).ts', './mock/!(apis|inspector)/**', './cli/**'],
    from: ['./mock/apis/router', './mock/apis/registry', './mock/apis/jobs'],
    message: 'What the mock knows of one API comes from its module, by the files of mock/apis/ itself.',
  },
  {
    // A module passes its mechanisms to the deviations and gets them back; nothing else in it knows about
    // deviations.
    target: [
      './mock/apis/*/!(api|context|module).ts',
      './mock/call/!(course|pipeline).ts',
      './mock/!(apis|call|deviations|enacted|inspector)/**',
    ],
    from: ['./mock/deviations/**', './mock/apis/*/deviations/**'],
    message:
      'Honest code knows of no deviation: a deviation puts something in the place of a part (mock/deviations/replacements.ts).',
  },
  {
    target: './mock/inspector',
    from: ['./contract', './mock'],
    except: [
      './inspector',
      './apis/jobs/control-shape.ts',
      './apis/router/control-shape.ts',
      './control/collections-shape.ts',
      './control/calls-shape.ts',
      './control/reference-shape.ts',
      './control/shape.ts',
      './control/steering-shape.ts',
      './control/snapshot-shape.ts',
      './journal/curl.ts',
      './journal/journal.ts',
      './journal/journal-search.ts',
      './journal/ledger-shape.ts',
      './plain-text.ts',
    ],
    message: `mock/inspector/ is a page: of the mock it knows what the control API says, of contract/ plain-text.ts: ${table}.`,
  },
  {
    target: ['./mock/*.ts', './mock/!(inspector)/**'],
    from: './mock/inspector',
    message: `mock/inspector/ runs in a browser, and the mock serves it as files: ${table}.`,
  },
  {
    target: ['./conformance/!(index).ts', './conformance/!(apis)/**'],
    from: './conformance/apis',
    except: ['./index.ts', './declared.ts', './fixtures.ts'],
    message: 'The core of the suite names no API: it asks the lists in conformance/apis/.',
  },
  ...['router', 'registry', 'jobs'].map((api, _, all) => ({
    target: `./conformance/apis/${api}`,
    from: all.filter((other) => other !== api).map((other) => `./conformance/apis/${other}`),
    message: 'What is known of one API serves that API alone.',
  })),
  ...['router', 'registry', 'jobs'].map((api) => ({
    target: [`./conformance/apis/${api}/oracles`, `./conformance/apis/${api}/wire`],
    from: `./conformance/apis/${api}/probes`,
    message: 'Oracles and probes judge apart: what both know of the wire is in conformance/apis/<api>/wire/.',
  })),
  {
    target: sources,
    from: ['./test', './examples', './scripts'],
    message: 'What ships must not import what does not ship.',
  },
];

/** Folders that also run in a browser: no packages, and nothing from Node. */
export const webStandardsOnly = [
  'contract/policies',
  'engine',
  'generator/runtime',
  'generator/server-runtime',
  'generator/validation',
];

/**
 * A package that only one place may import. Its targets are all other sources.
 * @param {string[]} packages @param {string} place @param {string[]} targets @returns {Zone}
 */
const keptTo = (packages, place, targets) => ({
  target: targets,
  from: packages.map((name) => `./node_modules/${name}`),
  message: `Only ${place} may import ${packages.join(', ')}: ${table}.`,
});

/** @param {string} folder */
const allBut = (folder) => sources.filter((source) => source !== `./${folder}`);

/** @type {Zone[]} */
export const keptToOnePlace = [
  keptTo(['@stoplight', 'fp-ts'], 'mock/prism/', [...allBut('mock'), './mock/*.ts', './mock/!(prism)/**']),
  keptTo(['handlebars'], 'generator/built-templates.ts', [
    ...allBut('generator'),
    './generator/!(built-templates).ts',
    './generator/*/**',
  ]),
  keptTo(['ts-morph'], 'generator/handlers.ts and generator/emitters/own-compiler.ts', [
    ...allBut('generator'),
    './generator/!(handlers).ts',
    './generator/!(emitters)/**',
    './generator/emitters/!(own-compiler).ts',
  ]),
  keptTo(['typescript', 'openapi-typescript'], 'generator/', allBut('generator')),
  keptTo(['ajv', 'ajv-formats'], 'contract/, mock/ and conformance/', [
    ...['./cli', './engine', './generator', './server'],
  ]),
  keptTo(['commander'], 'cli/', allBut('cli')),
  keptTo(['fast-check'], 'conformance/', allBut('conformance')),
  keptTo(['preact', '@preact'], 'mock/inspector/', [
    ...allBut('mock'),
    './mock/*.ts',
    './mock/!(inspector)/**',
  ]),
  keptTo(
    ['js-yaml', 'yaml', 'jsonc-parser', '@apidevtools', 'openapi-types'],
    'contract/, conformance/ and cli/',
    ['./generator', './mock'],
  ),
  ...webStandardsOnly.map((folder) => ({
    target: `./${folder}`,
    from: './node_modules',
    message: `${folder}/ depends on no package: ${table}.`,
  })),
];
