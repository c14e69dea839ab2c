/** What is read of an event of a trace; times are in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** Of which the thread was on a core. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface MainThread {
  readonly tasks: number;
  /** From begin to end, which other processes of a busy machine make longer. */
  readonly maxTotalMs: number;
  /** On a core: what the page itself is answerable for. */
  readonly maxCpuMs: number;
  /** Tasks with more than 50 ms on a core, in which a page answers nobody. */
  readonly long: number;
  readonly busyMs: number;
}

const longMs = 50;
/** What a thread takes from its queue, as the category `toplevel` has it. */
const taskName = 'ThreadControllerImpl::RunTask';

/** How the page's own thread was kept busy: where several pages are in the trace, the busiest one. */
export function mainThreadOf(events: readonly TraceEvent[]): MainThread {
  const threads = events
    .filter(({ name, ph, args }) => name === 'thread_name' && ph === 'M' && args?.name === 'CrRendererMain')
    .map(({ pid, tid }) => {
      const tasks = events.filter(
        (event) => event.pid === pid && event.tid === tid && event.name === taskName && event.ph === 'X',
      );
      const lasted = tasks.map(({ dur = 0 }) => dur / 1000);
      const worked = tasks.map(({ dur = 0, tdur = dur }) => tdur / 1000);
      return {
        tasks: tasks.length,
        maxTotalMs: Math.max(0, ...lasted),
        maxCpuMs: Math.max(0, ...worked),
        long: worked.filter((ms) => ms > longMs).length,
        busyMs: worked.reduce((sum, ms) => sum + ms, 0),
      };
    });
  const [busiest] = threads.toSorted((one, other) => other.busyMs - one.busyMs);
  if (!busiest || busiest.tasks === 0) throw new Error('The trace has no task of a page');
  return busiest;
}
