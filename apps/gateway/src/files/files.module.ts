import { Module } from '@nestjs/common';
import { CaseRows } from './case-rows.js';
import { FileAnswers } from './file-answers.js';
import { FilesHandlers } from './files.handlers.js';
import { ReceivedFiles } from './received-files.js';
import { ReceivedRows } from './received-rows.js';

/** Bytes on their way between clients and the store of files. */
@Module({
  controllers: [FilesHandlers],
  providers: [ReceivedFiles, ReceivedRows, FileAnswers, CaseRows],
  exports: [ReceivedFiles, ReceivedRows, FileAnswers, CaseRows],
})
export class FilesModule {}
