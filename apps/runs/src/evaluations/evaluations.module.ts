import { Module } from '@nestjs/common';
import { EvaluationScoresRepository, EvaluationScoresService } from './evaluation-scores.service.js';
import { EvaluationsHandlers } from './evaluations.handlers.js';
import { EvaluationsJobs } from './evaluations.jobs.js';
import { EvaluationsRepository, EvaluationsService } from './evaluations.service.js';
import { BuildRubrics, JudgeMeter, Judges } from './judges.js';
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
