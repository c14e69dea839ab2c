import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** The rest is compressed already. */
const isText = /\.(html|js|css|svg)$/;

/** A file of the page as it is sent. */
export class PageFile {
  readonly etag: string;
  private compressed: Buffer | undefined;

  constructor(
    readonly path: string,
    readonly bytes: Buffer,
  ) {
    this.etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  }

  get type(): string {
    return types[extname(this.path)] ?? 'application/octet-stream';
  }

  /** Whether its name says what is in it, so that it never changes. */
  get isForever(): boolean {
    return this.path.startsWith('assets/');
  }

  /** Made when it is first asked for; undefined where it is not worth it. */
  get gzip(): Buffer | undefined {
    if (!isText.test(this.path)) return undefined;
    return (this.compressed ??= gzipSync(this.bytes, { level: 9 }));
  }
}

/** All files below a folder, by their path with slashes. None in a folder that is not there. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => {
      const path = relative(folder, file).split(sep).join('/');
      return [path, new PageFile(path, readFileSync(file))];
    }),
  );
}
