import { type ChildProcess, fork } from 'node:child_process';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunLeasesRepository } from '../run-core/claims/run-leases.repository.js';
import { type RunsConfig, RunsSettings } from '../runs.config.js';

/** Heartbeat message from the child to its parent. */
export const heartbeat = 'alive';
export const heartbeatEveryMs = 1_000;

/** A process that was started here, of which there is one at a time. One that hangs is killed. */
export class SingleChildProcess {
  private child: ChildProcess | undefined;

  /** How long a child may be silent, its start included. */
  constructor(private readonly maxSilenceMs: number) {}

  get isThere(): boolean {
    return this.child !== undefined;
  }

  /** Until it is gone. */
  hold(child: ChildProcess): void {
    this.child = child;
    const silence = setTimeout(() => child.kill('SIGKILL'), this.maxSilenceMs).unref();
    child.on('message', () => silence.refresh());
    const gone = () => {
      clearTimeout(silence);
      if (this.child === child) this.child = undefined;
    };
    child.once('exit', gone);
    // One that could not be started never exits.
    child.once('close', gone);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
  }
}

/** The built entry beside this file's folder; tests that run from the sources have none. */
const entry = new URL('../isolated-run.main.js', import.meta.url);

/** A busy machine takes seconds to start a process. */
const minSilenceMs = 30_000;

/**
 * Tries runs that may be what kills their workers, each in a process of its own: whatever becomes of that process,
 * no other run notices. One at a time.
 */
@Injectable()
export class IsolatedRuns {
  private readonly child: SingleChildProcess;

  constructor(
    private readonly leases: RunLeasesRepository,
    shutdown: Shutdown,
    private readonly logger: Logger,
    @Inject(RunsSettings) { RUN_LEASE_MS }: RunsConfig,
  ) {
    // One that hangs has lost its lease by then.
    this.child = new SingleChildProcess(Math.max(2 * RUN_LEASE_MS, minSilenceMs));
    shutdown.add('drain', 'the run that is tried apart', () => this.child.stop());
  }

  async tryOne(): Promise<void> {
    if (this.child.isThere) return;
    const runId = await this.leases.dueSuspect();
    if (runId !== undefined) this.start(runId);
  }

  private start(runId: string): void {
    this.logger.warn({ run_id: runId }, 'executing a run that lost its workers in an isolated process');
    const child = fork(entry, [runId], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.child.hold(child);
    child.on('error', (error) =>
      this.logger.error({ err: error, run_id: runId }, 'failed to spawn the isolated worker'),
    );
    child.on('exit', (code, signal) => {
      if (code !== 0) this.logger.warn({ run_id: runId, code, signal }, 'isolated worker died');
    });
  }
}
