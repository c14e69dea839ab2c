import { mayMend, reasonOf } from './store-faults.js';

const fault = (code: string, message = 'a fault') => Object.assign(new Error(message), { code });

describe('a store that cannot be reached', () => {
  it.each(['ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', '57P03', '53300'])('may mend after %s', (code) => {
    expect(mayMend(fault(code), 3_600_000)).toBe(true);
  });

  it('may have a name that is not known yet, for a minute', () => {
    expect(mayMend(fault('ENOTFOUND'), 59_999)).toBe(true);
    expect(mayMend(fault('ENOTFOUND'), 60_000)).toBe(false);
  });

  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'does not mend after %s',
    (code) => {
      expect(mayMend(fault(code), 0)).toBe(false);
    },
  );

  it('is told with the code where there is no message', () => {
    expect(reasonOf(fault('ECONNREFUSED', ''))).toBe('ECONNREFUSED');
    expect(reasonOf(fault('28P01', 'password authentication failed'))).toBe('password authentication failed');
  });
});
