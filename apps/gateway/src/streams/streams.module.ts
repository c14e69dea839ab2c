import { feedProgress, runProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EventStreams } from './event-streams.js';
import { OpenRequests } from './open-requests.js';
import { RunEventStreams } from './runs/run-event-streams.js';
import { RunProgressFeed } from './runs/run-progress-feed.js';
import { RunWaits } from './runs/run-waits.js';
import { TeamEventStreams } from './teams/team-event-streams.js';
import { TeamFeedNews } from './teams/team-feed-news.js';

/** Requests that stay open: event streams of runs and of teams, and waits for a run. */
@Module({
  imports: [AuthModule],
  providers: [
    OpenRequests,
    EventStreams,
    RunWaits,
    RunEventStreams,
    TeamEventStreams,
    { provide: RunProgressFeed, inject: [Broadcasts], useFactory: listenToRuns },
    { provide: TeamFeedNews, inject: [Broadcasts], useFactory: listenToTeams },
  ],
  exports: [OpenRequests, RunWaits, RunEventStreams, TeamEventStreams],
})
export class StreamsModule {}

function listenToRuns(broadcasts: Broadcasts): RunProgressFeed {
  const feed = new RunProgressFeed();
  broadcasts.listen(runProgress, (progress) => feed.notify(progress));
  return feed;
}

function listenToTeams(broadcasts: Broadcasts): TeamFeedNews {
  const news = new TeamFeedNews();
  broadcasts.listen(feedProgress, ({ team_id }) => news.notify(team_id));
  return news;
}
