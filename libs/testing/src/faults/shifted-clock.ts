/** The environment of a process whose wall clock is ahead by so much, or behind if it is negative. */
export function shiftedClock(aheadMs: number): Record<string, string> {
  const program = `
    const Real = Date;
    globalThis.Date = class Date extends Real {
      constructor(...given) {
        if (given.length > 0) super(...given);
        else super(Real.now() + ${aheadMs});
      }
      static now() {
        return Real.now() + ${aheadMs};
      }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
