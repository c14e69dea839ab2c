import { Module, type DynamicModule } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { BuildCopies } from '../run-core/build-copies.js';
import { LiveBuilds } from '../live-builds/live-builds.js';
import { RunsRepository } from '../run-core/runs.repository.js';
import { BuildRubrics } from './build-rubrics.js';
import { EvaluationScoresRepository } from './evaluation-scores.repository.js';
import { EvaluationScoresService } from './evaluation-scores.service.js';
import { EvaluationsHandlers } from './evaluations.handlers.js';
import { EvaluationsJobs } from './evaluations.jobs.js';
import { EvaluationsRepository } from './evaluations.repository.js';
import { EvaluationsService } from './evaluations.service.js';
import { Judges } from './judges.js';
import { JudgingRepository } from './judging.repository.js';
import { Judging } from './judging.js';
import { RunJudging } from './run-judging.js';

/** How runs were judged: by their facts, and by the rubrics of their builds. */
@Module({})
export class EvaluationsModule {
  static forRoot(config: RunsConfig): DynamicModule {
    return {
      module: EvaluationsModule,
      controllers: [EvaluationsHandlers],
      providers: [
        { provide: RunsSettings, useValue: config },
        EvaluationsService,
        EvaluationsRepository,
        EvaluationScoresService,
        EvaluationScoresRepository,
        EvaluationsJobs,
        Judging,
        JudgingRepository,
        RunJudging,
        Judges,
        BuildRubrics,
        BuildCopies,
        LiveBuilds,
        RunsRepository,
      ],
    };
  }
}
