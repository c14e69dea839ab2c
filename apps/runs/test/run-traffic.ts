import { AppError, getRun, startRun } from '@aos/contracts';
import { eventually, type TestDatabase } from '@aos/testing';
import type { RunsClient } from './runs-under-test.js';

/** What a caller saw of a request: its status, or the code of the error that came instead; and how long it took. */
export interface SeenAnswer {
  readonly outcome: number | string;
  readonly ms: number;
}

/** Callers of runs that try nothing twice, and what becomes of the runs. */
export class RunTraffic {
  constructor(
    private readonly runs: RunsClient,
    private readonly database: TestDatabase,
    private readonly agentId: string,
  ) {}

  /** A request every so often, whatever comes of those before, until the work is done; gives all answers. */
  async during(everyMs: number, work: (traffic: Traffic) => Promise<void>): Promise<readonly SeenAnswer[]> {
    const traffic = new Traffic();
    const asked: Promise<void>[] = [];
    const timer = setInterval(() => asked.push(this.startAndRead(traffic)), everyMs);
    try {
      await work(traffic);
    } finally {
      clearInterval(timer);
      await Promise.all(asked);
    }
    return traffic.seen;
  }

  /** Starts so many runs, some at a time; gives what came of each. */
  async startMany(count: number, atOnce: number): Promise<SeenAnswer['outcome'][]> {
    const traffic = new Traffic();
    let started = 0;
    const client = async () => {
      while (started++ < count) await this.start(traffic);
    };
    await Promise.all(Array.from({ length: atOnce }, client));
    return traffic.seen.map(({ outcome }) => outcome);
  }

  /** Waits for the end of all runs; gives those that have ended in another way than they should. */
  async unexpectedEnds(): Promise<unknown[]> {
    const runs = (condition: string) =>
      this.database.query(`SELECT id, status, error FROM runs.run WHERE ${condition}`);
    await eventually(
      async () => expect(await runs(`status NOT IN ('completed', 'failed', 'cancelled')`)).toEqual([]),
      { timeoutMs: 60_000, everyMs: 250 },
    );
    return runs(`status <> 'completed'`);
  }

  private start(traffic: Traffic) {
    const body = { agent_id: this.agentId, message: 'go' };
    return traffic.note(() => this.runs.call(startRun, { body }));
  }

  /** Starts a run, and reads it if it was accepted. */
  private async startAndRead(traffic: Traffic): Promise<void> {
    const started = await this.start(traffic);
    if (started?.status !== 201) return;
    const { id } = started.body.run as { id: string };
    await traffic.note(() => this.runs.call(getRun, { params: { run_id: id } }));
  }
}

/** Requests of callers that try nothing twice. */
export class Traffic {
  readonly seen: SeenAnswer[] = [];
  private readonly since = new Set<number>();

  async note<T extends { readonly status: number }>(call: () => Promise<T>): Promise<T | undefined> {
    const start = performance.now();
    this.since.add(start);
    let outcome: number | string = 'broken';
    try {
      const answer = await call();
      outcome = answer.status;
      return answer;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcome = error.code;
      return undefined;
    } finally {
      this.since.delete(start);
      this.seen.push({ outcome, ms: performance.now() - start });
    }
  }

  /** Resolves when so many answers came one after the other as they should, and no caller waits. */
  async isServed(count: number, timeoutMs: number): Promise<void> {
    const from = this.seen.length;
    await eventually(
      () => {
        const last = this.seen.slice(from).slice(-count);
        const oldest = Math.min(...this.since);
        expect({ last: last.length, bad: last.filter(isBad) }).toEqual({ last: count, bad: [] });
        expect(performance.now() - oldest).not.toBeGreaterThan(usualMs);
      },
      { timeoutMs },
    );
  }

  /** Resolves when a caller has noticed that something is wrong. */
  async isDisturbed(timeoutMs: number): Promise<void> {
    const from = this.seen.length;
    await eventually(() => expect(this.seen.slice(from).some(isBad)).toBe(true), { timeoutMs });
  }
}

/** No answer takes longer unless something is wrong. */
const usualMs = 3_000;

function isBad({ outcome, ms }: SeenAnswer): boolean {
  return (outcome !== 200 && outcome !== 201) || ms > usualMs;
}
