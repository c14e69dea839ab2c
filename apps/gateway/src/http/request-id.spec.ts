import { requestId } from './request-id.js';

describe('requestId', () => {
  it.each(['a', 'two words', '!~', 'x'.repeat(128)])('keeps %j', (id) => {
    expect(requestId(id)).toBe(id);
  });

  it.each([[undefined], [''], ['x'.repeat(129)], ['a\nb'], ['a\u007f'], ['caf\u00e9'], [['a', 'b']]])(
    'makes another for %j',
    (id) => {
      expect(requestId(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    },
  );
});
