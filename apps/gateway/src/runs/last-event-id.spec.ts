import { lastEventId } from './last-event-id.js';

describe('lastEventId', () => {
  it.each([
    ['0', 0],
    ['17', 17],
    ['007', 7],
    ['2147483647', 2147483647],
  ])('%s is a number of an event', (header, expected) => {
    expect(lastEventId(header)).toBe(expected);
  });

  it.each(['', ' ', '-1', '1.5', '1e3', '0x10', '2147483648', '9'.repeat(400), 'abc', '1, 2', 'NaN', '٣'])(
    'refuses %j, by name',
    (header) => {
      expect(() => lastEventId(header)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: expect.stringContaining('Last-Event-ID') as string,
        }),
      );
    },
  );

  it('refuses several', () => {
    expect(() => lastEventId(['1', '2'])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
