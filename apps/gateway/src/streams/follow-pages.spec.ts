import { randomUUID } from 'node:crypto';
import type { NumberedEvent } from './event-frames.js';
import { startOfStream } from './follow-pages.js';

const event = (seq: number): NumberedEvent => ({
  seq,
  id: randomUUID(),
  event: 'run.completed',
  created_at: '2026-11-15T04:30:42.123Z',
  data: {},
});
const pageOf = (...numbers: number[]) => ({ events: numbers.map(event), complete: true, ended: false });

describe('startOfStream', () => {
  it('is where there was nothing more', () => {
    expect(startOfStream({ first: pageOf(), after: 12 })).toBe(12);
    expect(startOfStream({ first: pageOf(), after: 0 })).toBe(0);
  });

  it('lies right before the first event, however far the page was read', () => {
    expect(startOfStream({ first: pageOf(13, 15), after: 15 })).toBe(12);
    expect(startOfStream({ first: pageOf(1), after: 0 })).toBe(0);
  });
});
