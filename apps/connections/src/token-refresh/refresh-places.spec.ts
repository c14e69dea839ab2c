import { RefreshPlaces } from './refresh-places.js';

const due = (id: string, issuer: string) => ({ id, oauth: { server: { issuer } } });

describe('the places of refreshes', () => {
  it('are given until all are taken, and each connection has one', () => {
    const places = new RefreshPlaces({ atOnce: 2, ofOneIssuer: 2 });
    expect(places.take(due('1', 'a'))).toBe(true);
    expect(places.take(due('1', 'a'))).toBe(false);
    expect(places.take(due('2', 'b'))).toBe(true);
    expect(places.take(due('3', 'c'))).toBe(false);
    places.leave('1');
    expect([places.free, places.ids()]).toEqual([1, ['2']]);
    expect(places.take(due('3', 'c'))).toBe(true);
  });

  it('are not all for one authorization server', () => {
    const places = new RefreshPlaces({ atOnce: 3, ofOneIssuer: 2 });
    const slow = ['1', '2', '3'].map((id) => places.take(due(id, 'slow')));
    expect(slow).toEqual([true, true, false]);
    expect(places.fullIssuers()).toEqual(['slow']);
    expect(places.take(due('4', 'quick'))).toBe(true);
    places.leave('2');
    expect(places.fullIssuers()).toEqual([]);
  });

  it('know a connection without an authorization server', () => {
    const places = new RefreshPlaces({ atOnce: 2, ofOneIssuer: 1 });
    expect(places.take({ id: '1', oauth: null })).toBe(true);
    expect(places.fullIssuers()).toEqual(['']);
  });
});
