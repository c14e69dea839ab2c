import { contentTypeOf, extensionOf, isText } from './content-type.js';

describe('contentTypeOf', () => {
  it.each([
    ['/workspace/report.pdf', 'application/pdf'],
    ['/workspace/REPORT.PDF', 'application/pdf'],
    ['/workspace/data.json', 'application/json'],
    ['/workspace/table.csv', 'text/csv'],
    ['/workspace/page.html', 'text/html'],
    ['/workspace/shot.png', 'image/png'],
    ['/workspace/notes.md', 'text/markdown'],
    ['/workspace/main.ts', 'text/plain'],
    ['/workspace/a.b.tar.gz', 'application/gzip'],
    ['/workspace/photo.jpeg', 'image/jpeg'],
    ['/workspace/rows.jsonl', 'application/x-ndjson'],
    ['/workspace/script.js', 'text/javascript'],
    ['/workspace/old.cjs', 'text/javascript'],
    ['/workspace/letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['/workspace/Makefile', 'application/octet-stream'],
    ['/workspace/.json', 'application/octet-stream'],
    ['/workspace/file.', 'application/octet-stream'],
    ['/workspace/file.unheard', 'application/octet-stream'],
    ['/workspace/folder.json/file', 'application/octet-stream'],
    ['/workspace/file.constructor', 'application/octet-stream'],
    ['/workspace/file.__proto__', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('%s is %s', (path, expected) => {
    expect(contentTypeOf(path)).toBe(expected);
  });
});

describe('extensionOf', () => {
  it.each([
    ['image/png', '.png'],
    ['text/plain; charset=utf-8', '.txt'],
    ['audio/wav', '.wav'],
    ['application/x-unheard', ''],
    ['../../etc/passwd', ''],
    ['', ''],
  ])('%s has %s', (type, expected) => {
    expect(extensionOf(type)).toBe(expected);
  });
});

describe('isText', () => {
  it.each([
    ['nothing', Buffer.alloc(0), true],
    ['ASCII', Buffer.from('a,b\r\n1,2\t\n'), true],
    ['letters of all sizes', Buffer.from('é 你好 🙂'), true],
    ['a byte order mark', Buffer.from('\uFEFFx'), true],
    ['NUL', Buffer.from('a\0b'), false],
    ['NUL at the end', Buffer.from('ab\0'), false],
    ['Latin-1', Buffer.from('é', 'latin1'), false],
    ['UTF-16', Buffer.from('ab', 'utf16le'), false],
    ['a letter that is cut', Buffer.from('🙂').subarray(0, 3), false],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), false],
    ['an overlong slash', Buffer.from([0xc0, 0xaf]), false],
    ['the start of a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), false],
  ])('%s', (_, bytes, expected) => {
    expect(isText(bytes)).toBe(expected);
  });
});
