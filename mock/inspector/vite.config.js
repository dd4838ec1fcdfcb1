// @ts-check
import { defineConfig } from 'vite';

/** For working on the page beside a running mock: `npx vite mock/inspector`. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  server: { proxy: { '/control': { target: 'http://127.0.0.1:4711', changeOrigin: true } } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Nothing inline, because the page's security policy allows only its own files.
    assetsInlineLimit: 0,
    modulePreload: false,
    // The licences of the bundled packages are shipped with it.
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    emptyOutDir: true,
  },
});
