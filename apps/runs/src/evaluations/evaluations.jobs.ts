import { evaluateRun } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops } from '@aos/background';
import { DueRows } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { Judging } from './judging.js';
import { anyEvaluationDue } from './judging.sql.js';
import { RunJudging } from './run-judging.js';

/** Runs that end within this time are evaluated together. */
const everyMs = 500;

/** The loop that judges what has ended, and the workers that ask judges. */
@Injectable()
export class EvaluationsJobs {
  constructor(
    private readonly runJudging: RunJudging,
    judging: Judging,
    loops: BackgroundLoops,
    dueRows: DueRows,
  ) {
    loops.add({
      name: 'the judging of ended runs',
      idleMs: everyMs,
      mayBeLeft: true,
      mayHaveWork: () => dueRows.any(anyEvaluationDue),
      work: () => judging.work(),
    });
  }

  @Processes(evaluateRun)
  async run({ run_id: runId }: { run_id: string }, { signal }: JobRun): Promise<void> {
    await this.runJudging.judge(runId, signal);
  }
}
