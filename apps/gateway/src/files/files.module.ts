import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { CaseRows } from './case-rows.js';
import { FileAnswers } from './file-answers.js';
import { FilesHandlers } from './files.handlers.js';
import { ReceivedFiles } from './received-files.js';
import { ReceivedRows } from './received-rows.js';

/** Bytes on their way between clients and the store of files. */
@Module({
  imports: [AuthModule, StreamsModule],
  controllers: [FilesHandlers],
  providers: [ReceivedFiles, ReceivedRows, FileAnswers, CaseRows],
  exports: [ReceivedFiles, ReceivedRows, FileAnswers, CaseRows],
})
export class FilesModule {}
