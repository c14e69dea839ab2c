import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { RubricsHandlers } from './rubrics.handlers.js';
import { RubricsRepository } from './rubrics.repository.js';
import { RubricsService } from './rubrics.service.js';

@Module({
  imports: [AgentsModule, BuildsModule],
  controllers: [RubricsHandlers],
  providers: [RubricsService, RubricsRepository],
  exports: [RubricsRepository],
})
export class RubricsModule {}
