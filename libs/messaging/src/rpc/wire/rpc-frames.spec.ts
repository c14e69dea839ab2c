import { AppError, errorCodes } from '@aos/contracts';
import fc from 'fast-check';
import { decodeAnswers, encodeAnswers, fromWireError, toWireError, type Answer } from './rpc-frames.js';

/** Redis carries bytes. */
const overTheWire = (text: string) => Buffer.from(text, 'utf8').toString('utf8');

const body = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.constantFrom('', '\n', '\r\n\0', '[]\n', '😀', 'e\u0301', '\u2028'),
);
const head = fc.record(
  {
    id: fc.nat(),
    sealed: fc.boolean(),
    status: fc.integer({ min: 200, max: 599 }),
    replayed: fc.boolean(),
    retryAfterSeconds: fc.nat(),
    error: fc.record({ code: fc.constantFrom(...errorCodes), message: fc.string({ unit: 'grapheme' }) }),
  },
  { requiredKeys: ['id'] },
);
const answers: fc.Arbitrary<Answer[]> = fc.array(fc.record({ head, body }));

describe('frames of answers', () => {
  it('arrive as they were sent, however many and whatever they say', () => {
    fc.assert(
      fc.property(answers, (sent) => {
        expect(decodeAnswers(overTheWire(encodeAnswers(sent)))).toEqual(sent);
      }),
      { numRuns: 500 },
    );
  });

  it('keep a large body', () => {
    const large = 'ü😀'.repeat(500_000);
    const sent = [
      { head: { id: 1 }, body: large },
      { head: { id: 2 }, body: 'x' },
    ];
    expect(decodeAnswers(overTheWire(encodeAnswers(sent)))).toEqual(sent);
  });

  it.each(['', 'no frame', 'null\n', '{}\n', '[[{"id":1}', '[[{"id":1}]]\n', '[[{"id":"1"},0]]\n'])(
    'refuse what is none: %j',
    (text) => {
      expect(() => decodeAnswers(text)).toThrow();
    },
  );
});

describe('errors on the wire', () => {
  it.each(errorCodes)('%s arrives with its message and its delay', (code) => {
    const sent = new AppError(code, 'Why it failed.', { retryAfterSeconds: 3 });
    const arrived = fromWireError(
      JSON.parse(JSON.stringify(toWireError(sent))) as ReturnType<typeof toWireError>,
    );
    expect(arrived).toMatchObject({ code, message: 'Why it failed.', options: { retryAfterSeconds: 3 } });
  });

  it.each([new Error('password=hunter2'), 'text', null, undefined, { code: 'limit_reached' }])(
    'tell nothing of a fault that is no AppError (%#)',
    (error) => {
      expect(toWireError(error)).toEqual({
        code: 'internal_error',
        message: 'The service failed to answer.',
      });
    },
  );

  it('with an unknown code become internal errors', () => {
    const strange = { code: 'from_a_newer_version', message: 'New.' };
    expect(fromWireError(strange).code).toBe('internal_error');
  });
});
