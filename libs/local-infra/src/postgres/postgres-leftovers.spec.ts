import { parsePostmasterPid } from './postgres-leftovers.js';

describe('parsePostmasterPid', () => {
  it('reads the number and the state', () => {
    const lines = ['4711', '/data', '1700000000', '5432', '', '127.0.0.1', '  1 2', 'ready   ', ''];
    expect(parsePostmasterPid(lines.join('\n'))).toEqual({ pid: 4711, ready: true });
    expect(parsePostmasterPid(lines.slice(0, 7).join('\n'))).toEqual({ pid: 4711, ready: false });
  });

  it('takes an empty file for none', () => {
    expect(parsePostmasterPid('')).toBeUndefined();
  });
});
