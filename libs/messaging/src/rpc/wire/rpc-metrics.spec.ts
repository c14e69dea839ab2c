import { outcomeOf } from './rpc-metrics.js';

describe('outcomeOf', () => {
  it.each([
    [{ id: 1 }, 'ok'],
    [{ id: 1, status: 201 }, 'ok'],
    [{ id: 1, status: 201, replayed: true }, 'replayed'],
    [{ id: 1, status: 404 }, 'refused'],
    [{ id: 1, status: 500 }, 'failed'],
    [{ id: 1, status: 503 }, 'unavailable'],
    [{ id: 1, error: { code: 'not_found', message: '' } }, 'refused'],
    [{ id: 1, error: { code: 'internal_error', message: '' } }, 'failed'],
    [{ id: 1, error: { code: 'unavailable', message: '' } }, 'unavailable'],
  ])('%j is %s', (head, outcome) => {
    expect(outcomeOf(head)).toBe(outcome);
  });
});
