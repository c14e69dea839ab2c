// Joins the packages that most spec files load into a few files. Jest gives each spec file modules of its own, and to
// find and read the 1,500 files of Nest, TypeORM and BullMQ once more costs it two seconds of CPU each time.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cache = join(root, 'node_modules', '.cache', 'jest-packages');

const packages = [
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@aws-sdk/client-s3',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  'ai',
  'bullmq',
  'fastify',
  'ioredis',
  'pg',
  'pino',
  'prom-client',
  'reflect-metadata',
  'rxjs',
  'typeorm',
  'undici',
  'zod',
];

/** Where Jest finds each package; they are joined first unless that was done for these versions. */
export async function jestPackages() {
  const folder = join(cache, versionOf());
  if (!existsSync(folder)) await makeFolder(folder);
  return Object.fromEntries(packages.map((name) => [`^${name}$`, join(folder, `${fileNameOf(name)}.mjs`)]));
}

function versionOf() {
  const hash = createHash('sha256');
  for (const file of [
    join(root, 'package-lock.json'),
    fileURLToPath(import.meta.url),
    join(root, 'tools', 'bundle', 'join-files.mjs'),
  ])
    hash.update(readFileSync(file));
  return `${hash.digest('hex').slice(0, 16)}-${process.versions.modules}`;
}

async function makeFolder(folder) {
  const { joinFiles } = await import('./join-files.mjs');
  const draft = `${folder}.${process.pid}`;
  const entries = `${draft}.entries`;
  mkdirSync(entries, { recursive: true });
  for (const name of packages) writeFileSync(join(entries, `${fileNameOf(name)}.mjs`), await entryOf(name));
  await joinFiles({
    entryPoints: packages.map((name) => join(entries, `${fileNameOf(name)}.mjs`)),
    outdir: draft,
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
  });
  rmSync(entries, { recursive: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run was quicker.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
}

/** Names what a package exports: of one that is CommonJS, a bundler cannot tell. */
async function entryOf(name) {
  const exported = Object.keys(await import(name));
  const names = exported.filter((key) => key !== 'default' && key !== 'module.exports');
  const lines = [`import * as all from '${name}';`, `export const { ${names.join(', ')} } = all;`];
  if (exported.includes('default')) lines.push('export default all.default;');
  return lines.join('\n');
}

function fileNameOf(name) {
  return name.replaceAll(/[@/]/g, '-').replace(/^-/, '');
}
