import { runProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { StreamsModule } from '../streams.module.js';
import { RunEventStreams } from './run-event-streams.js';
import { RunProgressFeed } from './run-progress-feed.js';
import { RunWaits } from './run-waits.js';

/** Requests that stay open while a run gets on. */
@Module({
  imports: [AuthModule, StreamsModule],
  providers: [
    RunWaits,
    RunEventStreams,
    { provide: RunProgressFeed, inject: [Broadcasts], useFactory: listeningFeed },
  ],
  exports: [RunWaits, RunEventStreams],
})
export class RunsModule {}

function listeningFeed(broadcasts: Broadcasts): RunProgressFeed {
  const feed = new RunProgressFeed();
  broadcasts.listen(runProgress, (progress) => feed.notify(progress));
  return feed;
}
