import { randomBytes, randomUUID } from 'node:crypto';
import { maxLinkTokenLength } from '@aos/contracts';
import fc from 'fast-check';
import { FileLinks } from './file-links.js';
import { sandboxFilePath } from '../names/sandbox-path.js';

const keys = `a:${randomBytes(32).toString('base64')}`;
const base = 'https://agents.example.com';
const ids = { teamId: randomUUID(), sandboxId: randomUUID(), credentialId: randomUUID() };
const file = { teamId: 'team', sandboxId: 'sandbox', path: `/workspace/${'ü'.repeat(500)}` };

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

describe('links to files', () => {
  const links = new FileLinks(keys, base);

  it('are addresses of the service, of which each opens what it was made for', () => {
    const [upload, download] = [links.url('upload', file), links.url('download', file)];
    expect(upload.startsWith(`${base}/v2/uploads/`)).toBe(true);
    expect(download.startsWith(`${base}/v2/downloads/`)).toBe(true);
    expect(links.open('upload', tokenOf(upload))).toEqual(file);
    expect(links.open('download', tokenOf(download))).toEqual(file);
    expect(links.open('upload', tokenOf(download))).toBeUndefined();
    expect(links.open('download', tokenOf(upload))).toBeUndefined();
  });

  it.each(['"', 'ü', 'x', '😀'])('can be made for the longest path of %s', (character) => {
    const segment = character.repeat(Math.floor(200 / Buffer.byteLength(character)));
    const verdict = sandboxFilePath(Array.from({ length: 5 }, () => segment).join('/'));
    if (!verdict.ok) throw new Error(verdict.reason);
    const longest = { ...ids, path: verdict.path };
    for (const kind of ['upload', 'download'] as const) {
      const token = tokenOf(links.url(kind, longest));
      expect(token.length).toBeLessThanOrEqual(maxLinkTokenLength);
      expect(links.open(kind, token)).toEqual(longest);
    }
  });

  it('can be made for every path that is legal', () => {
    const character = fc.oneof(
      fc.constantFrom('"', "'", ' ', '<', '%', '?', '#', 'é', '漢'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const text = fc
      .array(
        fc.array(character, { minLength: 1, maxLength: 250 }).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 8 },
      )
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(text, (given) => {
        const verdict = sandboxFilePath(given);
        fc.pre(verdict.ok);
        const file = { ...ids, path: verdict.path };
        expect(links.open('upload', tokenOf(links.url('upload', file)))).toEqual(file);
      }),
    );
  });

  it('open with the keys of before, and with no others', () => {
    const token = tokenOf(links.url('download', file));
    const rotated = new FileLinks(`b:${randomBytes(32).toString('base64')},${keys}`, base);
    const other = new FileLinks(`a:${randomBytes(32).toString('base64')}`, base);
    expect(rotated.open('download', token)).toEqual(file);
    expect(other.open('download', token)).toBeUndefined();
  });
});
