import { Module } from '@nestjs/common';
import { FileAnswers } from './file-answers.js';
import { FilesHandlers } from './files.handlers.js';
import { ReceivedFiles } from './received-files.js';

/** Bytes on their way between clients and the store of files. */
@Module({
  controllers: [FilesHandlers],
  providers: [ReceivedFiles, FileAnswers],
  exports: [ReceivedFiles, FileAnswers],
})
export class FilesModule {}
