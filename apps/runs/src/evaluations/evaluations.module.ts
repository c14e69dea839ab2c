import { Module } from '@nestjs/common';
import { BuildRubrics } from './build-rubrics.js';
import { EvaluationScoresRepository } from './evaluation-scores.repository.js';
import { EvaluationScoresService } from './evaluation-scores.service.js';
import { EvaluationsHandlers } from './evaluations.handlers.js';
import { EvaluationsJobs } from './evaluations.jobs.js';
import { EvaluationsRepository } from './evaluations.repository.js';
import { EvaluationsService } from './evaluations.service.js';
import { JudgeMeter } from './judge-meter.js';
import { Judges } from './judges.js';
import { Judging } from './judging.js';
import { JudgingRepository } from './judging.repository.js';
import { RunJudging } from './run-judging.js';

/** Evaluations of ended runs, and the scores of agents. */
@Module({
  controllers: [EvaluationsHandlers],
  providers: [
    EvaluationsService,
    EvaluationsRepository,
    EvaluationScoresService,
    EvaluationScoresRepository,
    EvaluationsJobs,
    Judging,
    JudgingRepository,
    RunJudging,
    Judges,
    JudgeMeter,
    BuildRubrics,
  ],
  exports: [EvaluationsService],
})
export class EvaluationsModule {}
