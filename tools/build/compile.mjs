// Compiles the sources of a project to `dist`, file by file.
import { readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { transformFile } from '@swc/core';
import { filesBelow, root, sourcesOf } from './stamps.mjs';

const options = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
/** Entries of `dist` that are not compiled files. */
const otherOutputs = ['.built', 'bundle'];

export async function compile({ folder, folders }) {
  const sources = sourcesOf(folder).filter((file) => file.endsWith('.ts'));
  const names = new Set(sources.map((file) => relative(join(folder, 'src'), file).replace(/\.ts$/, '')));
  const kept = [...otherOutputs, ...Object.keys(folders)];
  for (const file of filesBelow(join(folder, 'dist'))) {
    const name = relative(join(folder, 'dist'), file);
    const isKept = kept.includes(name.split(sep)[0]) || names.has(name.replace(/\.(js|js\.map|d\.ts)$/, ''));
    if (!isKept) rmSync(file);
  }
  await Promise.all(sources.map((file) => compileFile(folder, file)));
}

async function compileFile(folder, source) {
  const target = join(folder, 'dist', relative(join(folder, 'src'), source)).replace(/\.ts$/, '.js');
  const sourceFileName = relative(dirname(target), source).split(sep).join('/');
  const { code, map } = await transformFile(source, {
    ...options,
    swcrc: false,
    configFile: false,
    sourceFileName,
  });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.map`, map);
  await writeFile(target, `${code}\n//# sourceMappingURL=${basename(target)}.map`);
}

/** The exports of a source file that imports nothing but modules of Node. */
export async function importSource(file) {
  const { code } = await transformFile(file, {
    ...options,
    swcrc: false,
    configFile: false,
    sourceMaps: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
