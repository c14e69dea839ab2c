import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const inFolder = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: 'src',
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: inFolder('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that run this have it; the polyfill would be a script of its own.
    modulePreload: { polyfill: false },
    // An address of data would need a policy that allows it.
    assetsInlineLimit: 0,
  },
  // `npm run dev -w @aos/console` beside a running `npm start`.
  server: { proxy: { '/v2': 'http://127.0.0.1:8080', '/console/sign-in': 'http://127.0.0.1:8080' } },
});
