import { refusalOf } from './file-refusal.js';

const limits = { maxFiles: 5, maxBytes: 1_000, graceMs: 1 };
const stored = { refusal: null, blocked_by: null, created: true, updated_at: new Date() };
const path = '/workspace/a';

describe('refusalOf', () => {
  it('is nothing for a file that was stored', () => {
    expect(refusalOf(path, stored, limits)).toBeUndefined();
  });

  it.each([
    ['not_found', 'does not exist', undefined],
    ['invalid_state', 'The upload took too long', { ...stored, updated_at: null }],
    ['limit_reached', 'at most 5 files', { ...stored, refusal: 'files' as const }],
    ['limit_reached', 'at most 1000 bytes', { ...stored, refusal: 'bytes' as const }],
    [
      'already_exists',
      '/workspace/a is a folder.',
      { ...stored, refusal: 'in_the_way' as const, blocked_by: '/workspace/a/b' },
    ],
    [
      'already_exists',
      '/workspace/a cannot be, since /workspace is a file.',
      { ...stored, refusal: 'in_the_way' as const, blocked_by: '/workspace' },
    ],
  ])('is %s: %s', (code, message, committed) => {
    const refusal = refusalOf(path, committed, limits);
    expect(refusal?.code).toBe(code);
    expect(refusal?.message).toContain(message);
  });
});
