import { acceptedEncoding } from './content-encoding.js';

describe('acceptedEncoding', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5,gzip;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['gzip;q=1.0, identity;q=0.5', 'gzip'],
  ])('%s wants %s', (header, expected) => {
    expect(acceptedEncoding(header)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    'identity',
    'deflate, zstd',
    'gzip;q=0',
    'gzip;q=0, br;q=0.0',
    '*;q=0',
    'gzip;q=0.5, identity',
    'gzip;q=much',
    ',;q=1',
  ])('%j wants the bytes as they are', (header) => {
    expect(acceptedEncoding(header)).toBeUndefined();
  });
});
