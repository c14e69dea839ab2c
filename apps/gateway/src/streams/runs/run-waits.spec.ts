import { waitSeconds } from './run-waits.js';

describe('waitSeconds', () => {
  it.each([0, 0.5, 1, 60])('is %d', (seconds) => {
    expect(waitSeconds({ agent_id: 'a', wait_seconds: seconds })).toBe(seconds);
  });

  it.each([undefined, null, 'text', 7, [], [{ wait_seconds: 5 }], {}, { wait_seconds: null }])(
    'is 0 for the body %j',
    (body) => {
      expect(waitSeconds(body)).toBe(0);
    },
  );

  it.each([-1, 61, Infinity, NaN, '5', true, {}])('is 0 for %p, which the owner refuses', (seconds) => {
    expect(waitSeconds({ wait_seconds: seconds })).toBe(0);
  });
});
