import { WorkGate } from './work-gate.js';

const jest = import.meta.jest;

describe('WorkGate', () => {
  let check: () => unknown;
  let gate: WorkGate;
  let changes: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    check = () => undefined;
    gate = new WorkGate();
    gate.addProbe(async () => check());
    changes = [];
    gate.onChange({ onClose: () => void changes.push('closed'), onOpen: () => void changes.push('opened') });
    gate.start();
  });

  afterEach(() => {
    gate.stop();
    jest.useRealTimers();
  });

  const away = (): never => {
    throw new Error('away');
  };
  const silent = () => new Promise(() => undefined);

  it('is open while the database answers', async () => {
    await jest.advanceTimersByTimeAsync(5_000);
    expect([gate.isOpen, changes]).toEqual([true, []]);
  });

  it.each([
    ['away', away],
    ['silent', silent],
  ])('closes soon after the database is %s, and opens when it is back', async (_, fault) => {
    check = fault;
    await jest.advanceTimersByTimeAsync(3_500);
    expect([gate.isOpen, changes]).toEqual([false, ['closed']]);
    let isThrough = false;
    void gate.untilOpen().then(() => (isThrough = true));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(isThrough).toBe(false);
    if (fault === silent) return;
    check = () => undefined;
    await jest.advanceTimersByTimeAsync(300);
    expect([isThrough, changes]).toEqual([true, ['closed', 'opened']]);
  });

  it('closes at once when work has failed, and opens when a probe succeeds', async () => {
    gate.suspect();
    expect(gate.isOpen).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect([gate.isOpen, changes]).toEqual([true, ['closed', 'opened']]);
    check = away;
    gate.suspect();
    await jest.advanceTimersByTimeAsync(4_000);
    expect(gate.isOpen).toBe(false);
  });

  it('lets all go on when it is stopped, and looks no more', async () => {
    check = away;
    gate.suspect();
    const through = gate.untilOpen();
    gate.stop();
    await through;
    await jest.advanceTimersByTimeAsync(5_000);
    expect([gate.isOpen, jest.getTimerCount()]).toEqual([true, 0]);
  });
});
