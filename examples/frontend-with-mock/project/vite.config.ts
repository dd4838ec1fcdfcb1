import { tallystick } from 'tallystick/vite';
import { defineConfig } from 'vite';

// `vite` and `vite preview` serve the mock under the address of the page. The key is added on the way, as a server of your own
// does in production: none is in the page.
export default defineConfig({
  plugins: [tallystick({ deadlineMs: 2_000 })],
});
