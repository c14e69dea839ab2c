#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A clone is built by `npm start`; the command may be called before.
if (!existsSync(new URL('../dist/main.js', import.meta.url))) {
  console.error('The command line is not built yet. Run `npm start` once.');
  process.exit(1);
}
await import('../dist/main.js');
