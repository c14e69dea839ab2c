import { startModelServer, type ModelServer, type ServiceProcess } from '@aos/testing';
import { keepJournal, statesOf } from './builder-journal.js';
import { BuilderUnderTest } from './builder-under-test.js';

const procedure = '# Mails\n\nAnswer them.';

/** The turn of a model that proposes the procedure. */
export const proposes = {
  kind: 'turn',
  toolCalls: [{ name: 'propose_procedure', arguments: { procedure } }],
} as const;

/** The statuses and phases of a builder run that asks nothing. */
export const statesWithoutQuestions: readonly string[] = [
  'running reading',
  'running drafting',
  'running checking',
  'awaiting_review done',
];

/** Builder runs with a scripted model, in a worker process that a test kills. Leases last one second. */
export class BuilderCrashes {
  private worker: ServiceProcess | undefined;

  private constructor(
    readonly server: ModelServer,
    readonly builders: BuilderUnderTest,
  ) {}

  static async prepare(): Promise<BuilderCrashes> {
    const server = await startModelServer();
    const builders = await BuilderUnderTest.prepare({
      COMPATIBLE_BASE_URL: server.openAiUrl,
      BUILDER_LEASE_MS: '1000',
      JOB_LOCK_MS: '1000',
    });
    await keepJournal(builders.database);
    return new BuilderCrashes(server, builders);
  }

  async stop(): Promise<void> {
    await this.builders.stop();
    await this.server.close();
  }

  /** Starts a builder run and returns its id. */
  async start(): Promise<string> {
    const { buildId } = await this.builders.makeAgent({
      models: { agent: { model: 'compatible/stand-in' } },
    });
    return this.builders.generate(buildId);
  }

  async startWorker(): Promise<void> {
    this.worker = await this.builders.startProcess();
  }

  /** Starts another worker, then kills the current one with SIGKILL. The next call kills the new one. */
  async killAndReplace(): Promise<void> {
    const killed = this.worker!;
    await this.startWorker();
    killed.signal('SIGKILL');
    await killed.exited;
  }

  /** Waits for the proposal, and expects each state once and no lease. */
  async expectOneProposal(id: string, states = statesWithoutQuestions): Promise<void> {
    const run = await this.builders.until(id, 'awaiting_review', 30_000);
    expect(run.proposed_config).toMatchObject({ data: { input: procedure } });
    expect(await statesOf(this.builders.database, id)).toEqual(states);
    expect(await this.builders.row(id)).toMatchObject({ lease_token: null, failed_attempts: 0 });
  }
}
