import type { Connection } from '@aos/client';
import { healthOf, type Check } from './health';

const active = { status: 'active', broken_reason: null, type: 'custom_mcp' } as Connection;
const check = (answer: Check['answer']): Check => ({ answer, at: '2026-01-01T00:00:00.000Z' });

describe('the health of a connection', () => {
  it('is not good because nothing is known against it', () => {
    expect(healthOf(active, undefined)).toEqual({ tone: '', word: 'Not checked' });
    expect(healthOf({ ...active, type: 'native' }, undefined)).toEqual({ tone: '', word: 'Authorized' });
  });

  it('is what its server said', () => {
    const tools = [{ name: 'echo', description: '' }];
    expect(healthOf(active, check({ success: true, tools }))).toEqual({
      tone: 'good',
      word: 'Working',
      detail: '1 tool',
    });
    expect(healthOf(active, check({ success: false, error: 'The host name does not resolve.' }))).toEqual({
      tone: 'bad',
      word: 'Failing',
      detail: 'The host name does not resolve.',
    });
  });

  it('is what a person has to mend, whatever the server said before', () => {
    const good = check({ success: true, tools: [] });
    const broken = { ...active, status: 'broken', broken_reason: 'Refused (401).' } as const;
    expect(healthOf(broken, good)).toEqual({ tone: 'bad', word: 'Broken', detail: 'Refused (401).' });
    expect(healthOf({ ...active, status: 'pending' }, good)).toMatchObject({ word: 'Waiting for consent' });
  });
});
