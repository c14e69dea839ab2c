import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EventStreams } from './event-streams.js';
import { OpenRequests } from './open-requests.js';

/** Requests that stay open. */
@Module({
  imports: [AuthModule],
  providers: [OpenRequests, EventStreams],
  exports: [OpenRequests, EventStreams],
})
export class StreamsModule {}
