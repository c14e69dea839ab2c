import { isUtf8 } from 'node:buffer';

const unknownType = 'application/octet-stream';

/** What agents and people put into sandboxes. Source code is text: `.ts` is no film here. */
const extensions: Readonly<Record<string, string>> = {
  'application/gzip': 'gz tgz',
  'application/json': 'json map',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/sql': 'sql',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.sqlite3': 'sqlite sqlite3',
  'application/wasm': 'wasm',
  'application/x-7z-compressed': '7z',
  'application/x-bzip2': 'bz2',
  'application/x-ndjson': 'ndjson jsonl',
  'application/x-parquet': 'parquet',
  'application/x-tar': 'tar',
  'application/xml': 'xml xsd xsl',
  'application/yaml': 'yaml yml',
  'application/zip': 'zip',
  'application/zstd': 'zst',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'font/otf': 'otf',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/jpeg': 'jpg jpeg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html htm',
  'text/javascript': 'js mjs cjs',
  'text/markdown': 'md markdown',
  'text/plain':
    'txt text log conf cfg env ini toml properties diff patch ts tsx jsx py rb go rs java kt c h cc cpp hpp cs php sh bash',
  'text/tab-separated-values': 'tsv',
  'text/vcard': 'vcf',
  'video/mp4': 'mp4 m4v',
  'video/mpeg': 'mpg mpeg',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
};

const types: ReadonlyMap<string, string> = new Map(
  Object.entries(extensions).flatMap(([type, names]) =>
    names.split(' ').map((name): [string, string] => [name, type]),
  ),
);

/** The media type that the name of a file tells; nothing is read. */
export function contentTypeOf(path: string): string {
  const extension = /[^/]\.([A-Za-z0-9]+)$/.exec(path)?.[1];
  return types.get(extension?.toLowerCase() ?? '') ?? unknownType;
}

/** True for bytes that can be shown as text: UTF-8 from the first to the last, without NUL. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
