import { Module } from '@nestjs/common';
import { CaseCoreModule } from '../case-core.module.js';
import { CaseLabelsHandlers } from './case-labels.handlers.js';
import { CaseLabelsService } from './case-labels.service.js';

/** Labels of queues and of cases. */
@Module({ imports: [CaseCoreModule], controllers: [CaseLabelsHandlers], providers: [CaseLabelsService] })
export class CaseLabelsModule {}
