// `node [flags] keep-code.mjs <url of a wrapped program>`: runs it until it ends, and keeps the code that V8 has compiled
// by then. Without settings a service ends as soon as it has loaded all of its modules.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeFileOf, loadProgram } from './program.mjs';

const [url] = process.argv.splice(2);
const { script, run } = loadProgram(url);
process.on('exit', () => writeFileSync(codeFileOf(fileURLToPath(url)), script.createCachedData()));
run();
