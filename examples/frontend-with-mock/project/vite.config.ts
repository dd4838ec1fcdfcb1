import { defineConfig } from 'vite';

const mock = process.env['MOCK_URL'] ?? 'http://localhost:4710';
const key = process.env['MOCK_KEY'] ?? 'service-mock-ok';

// The development server adds the key, as a server of your own does in production: none is in the page.
const router = { target: mock, headers: { 'X-API-Key': key } };
const jobs = { target: mock, headers: { Authorization: `Bearer ${key}` } };

// `vite preview` passes the same paths on.
export default defineConfig({
  server: { proxy: { '/v1': router, '/api/v2': jobs } },
});
