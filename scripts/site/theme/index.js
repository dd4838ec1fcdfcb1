// The theme of VitePress with the fonts of the reader's system. The start page uses its parts by name, inside a <main> of its own.
import theme, { VPHomeFeatures, VPHomeHero } from 'vitepress/theme-without-fonts';
import './style.css';

export default {
  ...theme,
  enhanceApp: ({ app }) => {
    app.component('VPHomeFeatures', VPHomeFeatures);
    app.component('VPHomeHero', VPHomeHero);
  },
};
