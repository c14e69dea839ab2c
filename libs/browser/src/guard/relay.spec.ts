import { endToEnd } from './relay.js';

describe('endToEnd', () => {
  it('keeps order, spelling and repetition', () => {
    const raw = ['Set-Cookie', 'a=1', 'X-A', 'b', 'set-cookie', 'c=2'];
    expect(endToEnd(raw)).toEqual(raw);
  });

  it('drops what is of one connection, and what Connection names', () => {
    const raw = [
      'Connection',
      'close, X-Hop',
      'x-hop',
      '1',
      'Proxy-Authorization',
      'Basic x',
      'TE',
      'trailers',
    ];
    expect(endToEnd([...raw, 'Accept', '*/*'])).toEqual(['Accept', '*/*']);
  });

  it('drops what it is told to', () => {
    expect(endToEnd(['Host', 'a', 'Accept', '*/*'], ['host'])).toEqual(['Accept', '*/*']);
  });
});
