/** What the templates and the document probes have to notice at least. These numbers only rise. */
export const floor = {
  /** Of all deviations, in `npm run twin`. */
  all: 405,
  /** Of so many deviations of each API, in the slow tests. */
  sample: { ofEach: 30, noticed: 60 },
} as const;
