import { randomBytes } from 'node:crypto';
import { FileLinks } from './file-links.js';

const keys = `a:${randomBytes(32).toString('base64')}`;
const base = 'https://agents.example.com';
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

  it('open with the keys of before, and with no others', () => {
    const token = tokenOf(links.url('download', file));
    const rotated = new FileLinks(`b:${randomBytes(32).toString('base64')},${keys}`, base);
    const other = new FileLinks(`a:${randomBytes(32).toString('base64')}`, base);
    expect(rotated.open('download', token)).toEqual(file);
    expect(other.open('download', token)).toBeUndefined();
  });
});
