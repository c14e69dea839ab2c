import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:8080';
const inFolder = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(async ({ command }) => ({
  root: 'src',
  base: '/console/',
  // Scripts and styles find each other wherever the service lies; the page itself is told where that is.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  // Replaces components in a running page; a build has no use for it, nor does `npm start` install it.
  plugins: command === 'serve' ? [(await import('@vitejs/plugin-react')).default()] : [],
  esbuild: { jsx: 'automatic' },
  build: {
    outDir: inFolder('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that run this have it; the polyfill would be a script of its own.
    modulePreload: { polyfill: false },
    // An address of data would need a policy that allows it.
    assetsInlineLimit: 0,
    // esbuild takes unused code out of each script when it minifies: 0.6 % more bytes than with Rollup's search for it,
    // which takes a fifth of the build. The sizes after compression are held by first-load.spec.ts.
    rollupOptions: { treeshake: false },
    reportCompressedSize: false,
  },
  // `npm run dev -w @aos/console` beside a running `npm start`.
  server: { proxy: Object.fromEntries(['/v2', '/auth', '/console/sign-in'].map((path) => [path, service])) },
}));
