import { Places } from './places.js';

describe('Places', () => {
  it('are as many for one as for any other', () => {
    const places = new Places(2);
    expect([places.take('flood'), places.take('flood'), places.take('flood')]).toEqual([true, true, false]);
    expect(places.take('calm')).toBe(true);
  });

  it('can be taken again when they were given back, and those who have none are forgotten', () => {
    const places = new Places(1);
    expect([places.take('a'), places.take('a')]).toEqual([true, false]);
    places.giveBack('a');
    expect([places.take('a'), places.take('a')]).toEqual([true, false]);
    places.giveBack('a');
    expect(places.holders).toBe(0);
  });
});
