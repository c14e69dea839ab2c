import fc from 'fast-check';
import { goodPaths, hostilePaths } from '../../test/hostile-paths.js';
import { sandboxFilePath, sandboxPath, sandboxRoot } from './sandbox-path.js';

const hostile = Object.entries(hostilePaths).flatMap(([trick, texts]) =>
  texts.map((text): [string, string, string] => [trick, JSON.stringify(text).slice(0, 60), text]),
);

/** Parts that paths are made of, the hostile ones among them. */
const part = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '/',
    'workspace',
    '%2e',
    '%2F',
    '%00',
    '\\',
    '\0',
    'e\u0301',
    '\uFF0E',
    '\uD800',
  ),
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.string({ maxLength: 6, unit: 'grapheme' }),
);
const text = fc.tuple(
  fc.constantFrom('', '/', '/workspace/'),
  fc.array(part, { maxLength: 8 }),
  fc.constantFrom('/', ''),
);
const paths = text.map(([start, parts, glue]) => start + parts.join(glue));

describe('sandboxPath', () => {
  it('knows many tricks', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    expect(new Set(hostile.map(([, , given]) => given)).size).toBe(hostile.length);
  });

  it.each(hostile)('refuses what %s: %s', (_, __, given) => {
    expect(sandboxPath(given)).toEqual({ ok: false, reason: expect.stringMatching(/^The path .+\.$/) });
    expect(sandboxFilePath(given).ok).toBe(false);
  });

  it.each(goodPaths)('takes %j as %s', (given, path) => {
    expect(sandboxPath(given)).toEqual({ ok: true, path });
    expect(sandboxFilePath(given).ok).toBe(path !== sandboxRoot);
  });

  it('takes paths up to 1024 bytes', () => {
    const names = Array.from({ length: 5 }, () => 'n'.repeat(201)).join('/');
    const longest = `/workspace/${names}/${'m'.repeat(3)}`;
    expect(Buffer.byteLength(longest)).toBe(1_024);
    expect(sandboxPath(longest)).toEqual({ ok: true, path: longest });
    expect(sandboxPath(`${longest}m`).ok).toBe(false);
  });

  it('does not repeat the text in the reason', () => {
    const verdict = sandboxPath('../secret-name');
    expect(verdict).toEqual({ ok: false, reason: 'The path leads out of the sandbox.' });
  });

  it('never leaves the sandbox, and says the same of what it said', () => {
    let taken = 0;
    fc.assert(
      fc.property(paths, (given) => {
        const verdict = sandboxPath(given);
        if (!verdict.ok) return;
        taken += 1;
        const { path } = verdict;
        expect(`${path}/`.startsWith(`${sandboxRoot}/`)).toBe(true);
        // What a URL parser, which also decodes, makes of it stays inside too.
        expect(`${new URL(`file://${path}`).pathname}/`.startsWith(`${sandboxRoot}/`)).toBe(true);
        const names = path.split('/').slice(1);
        expect(names.filter((name) => name === '' || name === '.' || name === '..')).toEqual([]);
        expect(path).toBe(path.normalize('NFC'));
        expect(path.isWellFormed()).toBe(true);
        expect(sandboxPath(path)).toEqual(verdict);
        expect(sandboxPath(path.slice(sandboxRoot.length + 1))).toEqual(verdict);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('takes every path that is already plain', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9 ._-]{0,30}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), (names) => {
        const path = [sandboxRoot, ...names].join('/');
        expect(sandboxPath(path)).toEqual({ ok: true, path });
      }),
    );
  });
});
