import { Module } from '@nestjs/common';
import { FileGarbageRepository, FileSweeps } from './file-sweeps.js';
import { RunFileCommits, StagedWrites } from './run-file-commits.js';
import { RunFiles } from './run-files.js';
import { SandboxesHandlers } from './sandboxes.handlers.js';
import { SandboxesRepository } from './sandboxes.repository.js';
import { SandboxesService } from './sandboxes.service.js';

/** Sandboxes: files of runs and of their clients. */
@Module({
  controllers: [SandboxesHandlers],
  providers: [
    SandboxesService,
    SandboxesRepository,
    FileGarbageRepository,
    FileSweeps,
    RunFiles,
    RunFileCommits,
    StagedWrites,
  ],
  exports: [SandboxesService, FileGarbageRepository, RunFiles],
})
export class FilesModule {}
