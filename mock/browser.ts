/**
 * The exports of `tallystick/mock` for browser bundles, where it cannot run: each throws an error that names
 * the alternative.
 */
export {
  refuse as createMock,
  refuse as listDeviations,
  refuse as listScenarios,
  refuse as onJson,
  refuse as realClock,
  refuse as startMock,
  refuse as virtualClock,
  refuse as withHeaders,
  refuse as withoutHeaders,
};
export const startOfSeeded = Date.UTC(2026, 0, 5, 9);

// --- internal ---

function refuse(): never {
  throw new Error(
    'tallystick/mock needs Node and does not run in a page: start it beside the page with tallystick/vite or "npx --no -- tallystick mock", and let the page call its address.',
  );
}
