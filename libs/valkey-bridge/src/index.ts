import { fileURLToPath } from 'node:url';

/** The program that runs Valkey as WebAssembly; compiled, also where this file runs from its source. */
export const valkeyProgram = fileURLToPath(new URL('../dist/valkey-host.js', import.meta.url));
