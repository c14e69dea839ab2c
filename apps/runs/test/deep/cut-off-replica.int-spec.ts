import { DistantRuns } from '../distant-runs.js';

const count = 200;
const atOnce = 5;

describe.each(['Postgres', 'Redis'] as const)('one replica of runs that is cut off from a store', (from) => {
  let distant: DistantRuns;

  beforeEach(async () => {
    distant = await DistantRuns.start({ near: 1, from });
  });

  afterEach(() => distant?.stop());

  it.each([
    ['refused', () => (distant.proxy.refuse(), distant.proxy.cut())],
    ['silent', () => distant.proxy.vanish()],
  ])(`leaves starts and steps to the other: its connections to ${from} are %s`, async (_, cutOff) => {
    await distant.traffic.startMany(20, atOnce);
    cutOff();
    const outcomes = await distant.traffic.startMany(count, atOnce);
    expect(outcomes.filter((outcome) => outcome === 201).length).toBeGreaterThanOrEqual(0.95 * count);
    expect([201, 503, 'unavailable']).toEqual(expect.arrayContaining([...new Set(outcomes)]));
    expect(await distant.traffic.unexpectedEnds()).toEqual([]);
  });
});
