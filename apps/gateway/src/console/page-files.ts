import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { StaticFile } from '../http/static/static-file.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export interface PagePlace {
  readonly place: string;
  readonly publicPath: string;
}

/** All files below a folder, by their path with slashes. None in a folder that is not there. */
export function readPageFiles(folder: string, at: PagePlace): ReadonlyMap<string, StaticFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => {
      const type = types[extname(file)] ?? 'application/octet-stream';
      const bytes = readFileSync(file);
      const path = relative(folder, file).split(sep).join('/');
      return [path, new StaticFile(type, extname(file) === '.html' ? placed(bytes, at) : bytes)];
    }),
  );
}

/** Only the pages contain absolute paths. */
function placed(html: Buffer, { place, publicPath }: PagePlace): Buffer {
  return Buffer.from(html.toString().replaceAll(`"${place}/`, `"${publicPath}${place}/`));
}
