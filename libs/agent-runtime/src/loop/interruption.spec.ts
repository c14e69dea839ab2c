import { Interruption } from './interruption.js';

describe('Interruption', () => {
  const lost = new Error('lost');
  const leaving = new Error('leaving');

  function between() {
    const [owner, process] = [new AbortController(), new AbortController()];
    const interruption = new Interruption(owner.signal, process.signal);
    return { interruption, lose: () => owner.abort(lost), leave: () => process.abort(leaving) };
  }

  it('breaks off what is under way when the run is lost, and when the process wants to end', () => {
    const first = between();
    first.lose();
    expect(first.interruption.signal.reason).toBe(lost);
    const second = between();
    second.leave();
    expect(second.interruption.signal.reason).toBe(leaving);
  });

  it('lets a spared call end, and no step begin after it', () => {
    const { interruption, leave } = between();
    interruption.spare();
    leave();
    expect(interruption.signal.aborted).toBe(false);
    expect(() => interruption.throwIfLeaving()).toThrow(leaving);
    expect(interruption.signal.reason).toBe(leaving);
  });

  it('spares no call of a run that is lost', () => {
    const { interruption, leave, lose } = between();
    interruption.spare();
    leave();
    lose();
    expect(interruption.signal.reason).toBe(lost);
  });

  it('lets no call begin once it was told', () => {
    const { interruption, leave } = between();
    leave();
    expect(() => interruption.spare()).toThrow(leaving);
  });

  it('is told though it was made too late', () => {
    const interruption = new Interruption(AbortSignal.abort(lost), undefined);
    expect(() => interruption.throwIfLeaving()).toThrow(lost);
    expect(() => new Interruption(new AbortController().signal, AbortSignal.abort(leaving)).spare()).toThrow(
      leaving,
    );
  });

  it('goes on where nothing was said', () => {
    const { interruption } = between();
    interruption.throwIfLeaving();
    interruption.spare();
    interruption.throwIfLeaving();
    expect(interruption.signal.aborted).toBe(false);
  });
});
