// `npm run pack -w @aos/cli -- --to <folder>`: makes the package of the command line, which needs no other package.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({ options: { to: { type: 'string', default: '.' } } });
const manifest = JSON.parse(readFileSync(at('../apps/cli/package.json'), 'utf8'));
const client = JSON.parse(readFileSync(at('../libs/client/package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'aos-cli-'));
try {
  await build({
    entryPoints: [at('../apps/cli/src/main.ts')],
    outfile: join(folder, 'bin', 'aos.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['@aos/source'],
    // commander is CommonJS, and asks for modules of Node.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
  });
  const { name, version, description, type, bin } = manifest;
  const { license, engines } = client;
  const own = { name, version, description, license, type, engines, bin, files: ['bin'] };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  copyFileSync(at('../docs/command-line.md'), join(folder, 'README.md'));
  copyFileSync(at('../LICENSE'), join(folder, 'LICENSE'));
  const to = ['pack', '--ignore-scripts', '--loglevel', 'error', '--pack-destination', resolve(values.to)];
  process.stdout.write(execFileSync('npm', to, { cwd: folder, encoding: 'utf8' }));
} finally {
  rmSync(folder, { recursive: true });
}
