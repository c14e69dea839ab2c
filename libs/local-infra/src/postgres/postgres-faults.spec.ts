import { explainPostgresFault } from './postgres-faults.js';

const place = { port: 5432, dataDir: '/data' };

describe('explainPostgresFault', () => {
  it.each([
    [
      'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use\nFATAL:  could not create any sockets',
      'port 5432 on 127.0.0.1 is already in use',
    ],
    [
      'initdb: error: could not write to file "x": No space left on device',
      'no space left on the disk of /data',
    ],
    [
      'postgres: error while loading shared libraries: libicuuc.so.60: cannot open shared object file',
      'the library libicuuc.so.60 is missing; run npm ci again',
    ],
    [
      'FATAL:  could not open file "global/pg_control": Permission denied',
      'permission denied in /data; it may belong to another user',
    ],
    ['LOG:  starting\nFATAL:  bogus setting\nLOG:  bye', 'FATAL:  bogus setting'],
    ['only this', 'only this'],
    ['', 'it ended without a word'],
  ])('%s', (output, expected) => {
    expect(explainPostgresFault(output, place)).toBe(expected);
  });
});
