import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { MemoryFilesHandlers } from './memory-files.handlers.js';
import { MemoryFilesRepository } from './memory-files.repository.js';
import { MemoryFilesService } from './memory-files.service.js';
import { RunMemoryHandlers } from './run-memory.handlers.js';

@Module({
  imports: [AgentsModule],
  controllers: [MemoryFilesHandlers, RunMemoryHandlers],
  providers: [MemoryFilesService, MemoryFilesRepository],
})
export class MemoryFilesModule {}
