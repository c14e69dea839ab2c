import { displayStatus } from './case.mapper.js';

const now = new Date('2026-11-15T12:00:00Z');
const later = new Date('2026-11-16T12:00:00Z');
const before = new Date('2026-11-14T12:00:00Z');
const pending = {
  status: 'pending',
  claimed_by_run_id: null,
  pending_human_request_id: null,
  postponed_to: null,
} as const;

describe('what a case is shown as', () => {
  it.each([
    ['pending', pending],
    ['in_progress', { ...pending, claimed_by_run_id: 'run' }],
    ['needs_input', { ...pending, claimed_by_run_id: 'run', pending_human_request_id: 'request' }],
    ['postponed', { ...pending, postponed_to: later }],
    ['pending', { ...pending, postponed_to: before }],
    ['completed', { ...pending, status: 'completed', claimed_by_run_id: 'run' }],
    ['failed', { ...pending, status: 'failed', claimed_by_run_id: 'run', postponed_to: later }],
  ] as const)('%s', (shown, row) => {
    expect(displayStatus(row, now)).toBe(shown);
  });
});
