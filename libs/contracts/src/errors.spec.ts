import { AppError, errorCatalogue, errorCodes, isErrorCode, notFound } from './errors.js';

describe('AppError', () => {
  it.each(errorCodes)('%s has its status, and a body of code and message only', (code) => {
    const error = new AppError(code, 'Why.', { cause: new Error('inside') });
    expect(error.status).toBe(errorCatalogue[code].status);
    expect(error.stored).toBe(errorCatalogue[code].stored);
    expect(JSON.stringify(error.toBody())).toBe(`{"error":"${code}","message":"Why."}`);
  });

  it('tells when to try again if it knows; of what is away always', () => {
    expect(new AppError('unavailable', 'Away.').options.retryAfterSeconds).toBe(1);
    expect(new AppError('unavailable', 'Away.', { retryAfterSeconds: 7 }).options.retryAfterSeconds).toBe(7);
    expect(new AppError('forbidden', 'No.').options.retryAfterSeconds).toBeUndefined();
  });

  it('keeps no answer that may differ the next time', () => {
    const stored = errorCodes.filter((code) => errorCatalogue[code].stored);
    expect(stored.filter((code) => errorCatalogue[code].retryable)).toEqual([]);
    expect(stored.filter((code) => errorCatalogue[code].status >= 500)).toEqual([]);
  });

  it('is the same for everything that is not there', () => {
    expect(notFound('The widget').toBody()).toEqual(notFound().toBody());
  });

  it('knows its codes, and no property of an object', () => {
    expect(isErrorCode('not_found')).toBe(true);
    for (const value of ['toString', '__proto__', '', 404, null]) expect(isErrorCode(value)).toBe(false);
  });
});
