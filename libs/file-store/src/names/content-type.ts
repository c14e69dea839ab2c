import { isUtf8 } from 'node:buffer';
import mime from 'mime-types';

const unknownType = 'application/octet-stream';

const sources =
  'conf cfg env properties diff patch toml ts tsx jsx py rb go rs java kt c h cc cpp hpp cs php sh bash';

/** Where the registry knows less, or means something else: `.ts` is source code here, and no film. */
const own: ReadonlyMap<string, string> = new Map([
  ...sources.split(' ').map((name): [string, string] => [name, 'text/plain']),
  ['cjs', 'text/javascript'],
  ['jsonl', 'application/x-ndjson'],
  ['ndjson', 'application/x-ndjson'],
  ['parquet', 'application/x-parquet'],
  ['sqlite', 'application/vnd.sqlite3'],
  ['sqlite3', 'application/vnd.sqlite3'],
  ['tgz', 'application/gzip'],
  ['zst', 'application/zstd'],
]);

/** The media type that the name of a file tells; nothing is read. */
export function contentTypeOf(path: string): string {
  const extension = /[^/]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return unknownType;
  return own.get(extension) ?? (mime.lookup(`.${extension}`) || unknownType);
}

/** The extension that files of a media type have, with its dot; none if the type is not known. */
export function extensionOf(contentType: string): string {
  const extension = mime.extension(contentType);
  return extension ? `.${extension}` : '';
}

/** True for bytes that can be shown as text: UTF-8 from the first to the last, without NUL. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
