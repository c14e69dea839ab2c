// Puts what one project has built into another: `node ../../tools/copy-folder.mjs from to`. What was there goes.
import { cpSync, rmSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
