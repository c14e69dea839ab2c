import { isStoreUnavailable } from '@aos/persistence';
import { Logger, Shutdown, TransientSet } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunClaims, type ClaimedRun } from '../run-core/claims/run-claims.js';
import type { RunSlot } from '../run-core/claims/run-slots.js';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { ExecutorSlots, type SlotWork } from '../capacity/slots/executor-slots.js';
import { Ending } from './ending.js';
import { RunExecution } from './run-execution.js';

/** More would make the statement that claims them long; the next follows at once. */
const claimedAtOnce = 32;

const lookAgainMs = 500;

/**
 * The runs in the hands of this process: as many as it has room for, shared fairly among teams. It begins those that
 * were stored here, and takes waiting ones, the oldest of each team in turn, when it is woken and when one ends.
 */
@Injectable()
export class RunExecutor {
  private readonly underWay = new TransientSet<Promise<void>>();
  private readonly ending: Ending;
  /** Teams that may have runs waiting; the next to be asked first. */
  private readonly waiting = new Set<string>();
  private taking: Promise<void> | undefined;
  /** A team was woken while waiting runs were being taken. */
  private again = false;
  /** Wake-up jobs that wait because there is no room. */
  private readonly waitingJobs = new Set<() => void>();

  constructor(
    private readonly execution: RunExecution,
    private readonly claims: RunClaims,
    private readonly slots: ExecutorSlots,
    shutdown: Shutdown,
    @Inject(RunsSettings) settings: RunsConfig,
    private readonly logger: Logger,
  ) {
    this.ending = new Ending(settings.SHUTDOWN_GRACE_MS);
    slots.on('work', (work) => this.occupy(work));
    slots.on('freed', () => this.freed());
    shutdown.add('drain', 'runs under way', async () => {
      this.slots.close();
      await this.ending.begin(async () => {
        for (const go of this.waitingJobs) go();
        await this.taking;
        await Promise.all(this.underWay);
      });
    });
  }

  /** There may be runs of these teams to take. */
  wake(teamIds: readonly string[]): void {
    for (const teamId of teamIds) this.waiting.add(teamId);
    this.take();
  }

  /** Resolves when there is room for one more run: until then another replica should rather be woken. */
  async whenFree(signal: AbortSignal): Promise<void> {
    while (!this.slots.hasRoom() && !this.ending.hasBegun && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer);
          this.waitingJobs.delete(go);
          resolve();
        };
        // Room in the heap comes without a run that ends.
        const timer = setTimeout(go, lookAgainMs);
        this.waitingJobs.add(go);
      });
    }
  }

  private occupy({ runId, run, release }: SlotWork): void {
    const { ending } = this;
    const work = this.guarded(runId, () =>
      run ? this.execution.carryOn(run, ending) : this.execution.execute(runId, ending),
    );
    const remove = this.underWay.add(work);
    void work.finally(() => {
      remove();
      release();
    });
  }

  private freed(): void {
    const [go] = this.waitingJobs;
    go?.();
    this.take();
  }

  private take(): void {
    if (this.waiting.size === 0 || this.ending.hasBegun) return;
    this.again = this.taking !== undefined;
    this.taking ??= this.takeWaiting()
      .catch((error: unknown) => {
        // They are still there; the reconciler wakes their teams again.
        this.again = false;
        const level = isStoreUnavailable(error) ? 'warn' : 'error';
        this.logger[level]({ err: error }, 'waiting runs could not be taken');
      })
      .finally(() => {
        this.taking = undefined;
        if (this.again) this.take();
      });
  }

  private async takeWaiting(): Promise<void> {
    for (let slots = this.reserveInTurn(); slots.length > 0; slots = this.reserveInTurn()) {
      const wanted = new Map<string, number>();
      for (const { teamId } of slots) wanted.set(teamId, (wanted.get(teamId) ?? 0) + 1);
      const taken = await this.claimFor(wanted, slots);
      for (const [teamId, count] of wanted) {
        // Fewer than there was room for: nothing is left, unless a job or the reconciler has woken the team since.
        if (taken.filter((run) => run.team_id === teamId).length === count) this.waiting.add(teamId);
      }
    }
  }

  private async claimFor(
    wanted: ReadonlyMap<string, number>,
    slots: readonly { teamId: string; slot: RunSlot }[],
  ): Promise<readonly ClaimedRun[]> {
    const free = [...slots];
    try {
      const taken = await this.claims.claimOldest(wanted);
      for (const run of taken) {
        const index = free.findIndex(({ teamId }) => teamId === run.team_id);
        const [place] = free.splice(index, 1);
        place!.slot.begin(run);
      }
      return taken;
    } finally {
      for (const { slot } of free) slot.release();
    }
  }

  /** A place for each waiting team in turn, as long as there are any that the team may take. */
  private reserveInTurn(): { teamId: string; slot: RunSlot }[] {
    const reserved: { teamId: string; slot: RunSlot }[] = [];
    const refused: string[] = [];
    const asked = new Set<string>();
    while (reserved.length < claimedAtOnce && this.waiting.size > 0) {
      const [teamId] = this.waiting;
      this.waiting.delete(teamId!);
      const slot = this.slots.reserve(teamId!);
      if (slot) {
        reserved.push({ teamId: teamId!, slot });
        asked.add(teamId!);
        this.waiting.add(teamId!);
      } else refused.push(teamId!);
    }
    for (const teamId of asked) this.waiting.delete(teamId);
    for (const teamId of refused) if (!asked.has(teamId)) this.waiting.add(teamId);
    return reserved;
  }

  private async guarded(runId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const level = isStoreUnavailable(error) ? 'warn' : 'error';
      this.logger[level]({ err: error, run_id: runId }, 'a run could not be taken');
    }
  }
}
