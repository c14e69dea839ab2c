import { QueryFailedError } from 'typeorm';
import {
  ConnectionLost,
  isPassing,
  isReleasedRunner,
  isRetryableConflict,
  isStoreUnavailable,
  isUniqueViolation,
} from './pg-errors.js';

const pgError = (code: string, message = 'a fault', constraint?: string) =>
  Object.assign(new Error(message), { code, constraint });
const wrapped = (error: Error) => new QueryFailedError('SELECT 1', [], error);

describe('errors of Postgres', () => {
  it('knows a unique violation, wrapped or not, and by its constraint', () => {
    const error = pgError('23505', 'duplicate key', 'widget_name');
    for (const thrown of [error, wrapped(error)]) {
      expect(isUniqueViolation(thrown)).toBe(true);
      expect(isUniqueViolation(thrown, 'widget_name')).toBe(true);
      expect(isUniqueViolation(thrown, 'another')).toBe(false);
    }
    expect(isUniqueViolation(pgError('23503'))).toBe(false);
  });

  it.each(['57014', '55P03', '57P01', '40P01', 'ECONNRESET'])(
    'knows that what %s has stopped may pass later',
    (code) => {
      expect(isPassing(wrapped(pgError(code)))).toBe(true);
    },
  );

  it.each(['40001', '40P01'])('knows that %s may be run again', (code) => {
    expect(isRetryableConflict(wrapped(pgError(code)))).toBe(true);
    expect(isStoreUnavailable(wrapped(pgError(code)))).toBe(false);
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    '08006',
    '57P01',
    '57P02',
    '57P03',
    '53100',
    '53300',
    '25006',
    '25P03',
    '25P04',
  ])('knows that %s passes', (code) => {
    expect(isStoreUnavailable(pgError(code))).toBe(true);
    expect(isStoreUnavailable(wrapped(pgError(code)))).toBe(true);
    expect(isRetryableConflict(pgError(code))).toBe(false);
  });

  it.each(['ENOENT', 'EAGAIN'])('knows that %s passes where a Unix socket is dialled', (code) => {
    const refused = (syscall: string) => Object.assign(pgError(code), { syscall });
    expect(isStoreUnavailable(refused('connect'))).toBe(true);
    expect(isStoreUnavailable(refused('open'))).toBe(false);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('knows what has no code: %s', (message) => {
    expect(isStoreUnavailable(new Error(message))).toBe(true);
  });

  it.each([
    pgError('42P01'),
    pgError('23505'),
    pgError('57014'),
    new Error('a bug'),
    'text',
    null,
    undefined,
  ])('takes nothing else for it (%#)', (error) => {
    expect(isStoreUnavailable(error)).toBe(false);
    expect(isRetryableConflict(error)).toBe(false);
  });

  it.each([pgError('42P01'), pgError('23505'), new Error('a bug'), undefined])(
    'takes no fault for one that passes (%#)',
    (error) => expect(isPassing(error)).toBe(false),
  );

  it('takes a connection that broke inside a transaction for a store that is away', () => {
    const released = Object.assign(new Error('released'), { name: 'QueryRunnerAlreadyReleasedError' });
    expect(isReleasedRunner(released)).toBe(true);
    expect(isReleasedRunner(new Error('another'))).toBe(false);
    expect(isStoreUnavailable(released)).toBe(false);
    expect(isStoreUnavailable(new ConnectionLost(released))).toBe(true);
  });
});
