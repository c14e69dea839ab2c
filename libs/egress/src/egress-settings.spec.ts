import { z } from 'zod';
import { egressSettings } from './egress-settings.js';

const schema = z.object(egressSettings);

describe('egressSettings', () => {
  it('opens nothing unless told to', () => {
    expect(schema.parse({})).toEqual({ EGRESS_ALLOW_CIDRS: '' });
  });

  it('takes ranges of both kinds', () => {
    const given = { EGRESS_ALLOW_CIDRS: '127.0.0.0/8, fd00::/8' };
    expect(schema.parse(given)).toEqual(given);
  });

  it.each(['127.0.0.1', '10.0.0.0/33', 'localhost', '10.0.0.0/8;fd00::/8', '10.0.0.0/8,all'])(
    'refuses %j with a reason',
    (text) => {
      const issues = schema.safeParse({ EGRESS_ALLOW_CIDRS: text }).error?.issues;
      expect(issues).toMatchObject([
        { path: ['EGRESS_ALLOW_CIDRS'], message: expect.stringContaining('address ranges') },
      ]);
    },
  );
});
