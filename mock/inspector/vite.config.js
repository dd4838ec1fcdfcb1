// @ts-check
import { defineConfig } from 'vite';

/** To work on the page beside a mock that runs: `npx vite mock/inspector`. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  server: { proxy: { '/control': { target: 'http://127.0.0.1:4711', changeOrigin: true } } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Nothing inline: the page's security policy allows its own files only.
    assetsInlineLimit: 0,
    modulePreload: false,
    // The licences of what the page contains travel with it.
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    emptyOutDir: true,
  },
});
