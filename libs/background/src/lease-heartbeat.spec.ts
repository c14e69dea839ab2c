import { heartbeatMs, LeaseHeartbeat } from './lease-heartbeat.js';

const jest = import.meta.jest;
const leaseMs = 1_000;

/** A heartbeat whose renewals answer what the test gives. */
function watched(renew: () => Promise<boolean>) {
  const faults: unknown[] = [];
  const heartbeat = new LeaseHeartbeat({ leaseMs, renew, onFault: (error) => faults.push(error) });
  return { heartbeat, faults };
}

describe('LeaseHeartbeat', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('renews several times within a lease', async () => {
    const renew = jest.fn(() => Promise.resolve(true));
    const { heartbeat } = watched(renew);
    await jest.advanceTimersByTimeAsync(leaseMs);
    expect(renew).toHaveBeenCalledTimes(leaseMs / heartbeatMs(leaseMs));
    expect(renew.mock.calls.length).toBeGreaterThan(2);
    expect(heartbeat.signal.aborted).toBe(false);
    heartbeat.stop();
  });

  it('says that the lease is lost, once, and asks no more', async () => {
    const renew = jest.fn(() => Promise.resolve(false));
    const { heartbeat } = watched(renew);
    const lost = jest.fn();
    heartbeat.signal.addEventListener('abort', lost);
    await jest.advanceTimersByTimeAsync(leaseMs);
    expect(lost).toHaveBeenCalledTimes(1);
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('goes on while the store is away, and tells of it', async () => {
    const answers = [new Error('away'), new Error('away'), true];
    const { heartbeat, faults } = watched(async () => {
      const answer = answers.shift() ?? false;
      if (answer instanceof Error) throw answer;
      return answer;
    });
    await jest.advanceTimersByTimeAsync(3 * heartbeatMs(leaseMs));
    expect(faults).toHaveLength(2);
    expect(heartbeat.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(heartbeatMs(leaseMs));
    expect(heartbeat.signal.aborted).toBe(true);
  });

  it('is lost when the store was away for as long as the lease lasts', async () => {
    const { heartbeat } = watched(() => Promise.reject(new Error('away')));
    await jest.advanceTimersByTimeAsync(leaseMs - 1);
    expect(heartbeat.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(heartbeat.signal.aborted).toBe(true);
  });

  it('counts a renewal from the moment at which it was sent', async () => {
    const answers: ((isRenewed: boolean) => void)[] = [];
    const { heartbeat } = watched(() => new Promise((resolve) => answers.push(resolve)));
    await jest.advanceTimersByTimeAsync(leaseMs - 1);
    answers[0]!(true);
    // Sent a quarter of the lease after its beginning.
    await jest.advanceTimersByTimeAsync(heartbeatMs(leaseMs));
    expect(heartbeat.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(heartbeat.signal.aborted).toBe(true);
  });

  it('stays lost when a renewal answers late', async () => {
    let answer = (_isRenewed: boolean): void => undefined;
    const { heartbeat } = watched(() => new Promise((resolve) => (answer = resolve)));
    await jest.advanceTimersByTimeAsync(leaseMs);
    answer(true);
    await jest.advanceTimersByTimeAsync(leaseMs);
    expect(heartbeat.signal.aborted).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('asks a slow store once at a time', async () => {
    let answer = (_mine: boolean): void => undefined;
    const renew = jest.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
    const { heartbeat } = watched(renew);
    await jest.advanceTimersByTimeAsync(leaseMs - 1);
    expect(renew).toHaveBeenCalledTimes(1);
    answer(true);
    await jest.advanceTimersByTimeAsync(heartbeatMs(leaseMs));
    expect(renew).toHaveBeenCalledTimes(2);
    heartbeat.stop();
  });

  it('asks nothing after its end', async () => {
    const renew = jest.fn(() => Promise.resolve(true));
    const { heartbeat } = watched(renew);
    heartbeat.stop();
    await jest.advanceTimersByTimeAsync(leaseMs);
    expect(renew).not.toHaveBeenCalled();
  });
});
