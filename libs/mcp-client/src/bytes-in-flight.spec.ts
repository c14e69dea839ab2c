import { BytesInFlight, type Reading } from './bytes-in-flight.js';

describe('the bytes of answers that are being read', () => {
  let inFlight: BytesInFlight;
  let dropped: string[];

  beforeEach(() => {
    inFlight = new BytesInFlight(100);
    dropped = [];
  });

  function read(teamId: string, bytes: number): Reading {
    const reading = { teamId, bytes, drop: () => dropped.push(`${bytes} of ${teamId}`) };
    inFlight.add(reading);
    inFlight.check();
    return reading;
  }

  it('may be as many as the limit', () => {
    read('one', 60);
    read('two', 40);
    expect(dropped).toEqual([]);
  });

  it('past it cost the largest answer of the team that reads most, not the largest of all', () => {
    read('greedy', 20);
    read('greedy', 25);
    read('modest', 30);
    read('greedy', 15);
    read('greedy', 12);
    expect(dropped).toEqual(['25 of greedy']);
  });

  it('cost as many answers as it takes', () => {
    read('one', 45);
    read('two', 50);
    read('three', 90);
    expect(dropped).toEqual(['90 of three']);
    read('two', 45);
    read('one', 5);
    expect(dropped).toEqual(['90 of three', '50 of two']);
  });

  it('of an answer that has ended count no more', () => {
    const ended = read('one', 90);
    inFlight.remove(ended);
    read('two', 90);
    expect(dropped).toEqual([]);
  });
});
