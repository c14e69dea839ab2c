import { AppError } from '@aos/contracts';
import { passingRefusal } from './passing-refusal.js';

const pgError = (code: string) => Object.assign(new Error('a fault'), { code });

describe('a failure of Postgres', () => {
  it.each([
    ['is away', '57P01'],
    ['cannot be reached', 'ECONNRESET'],
    ['took too long', '57014'],
    ['had to wait too long for a lock', '55P03'],
    ['saw two transactions in the way of each other', '40P01'],
  ])('that %s is told as one that passes', (_, code) => {
    expect(passingRefusal(pgError(code))).toMatchObject({
      code: 'unavailable',
      options: { retryAfterSeconds: 1 },
    });
  });

  it.each([
    pgError('42P01'),
    pgError('23505'),
    new Error('a bug'),
    new AppError('not_found', 'gone'),
    undefined,
  ])('that does not pass is told as nothing (%#)', (error) => {
    expect(passingRefusal(error)).toBeUndefined();
  });
});
