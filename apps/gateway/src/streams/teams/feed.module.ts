import { feedProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams.module.js';
import { TeamEventStreams } from './team-event-streams.js';
import { TeamFeedNews } from './team-feed-news.js';

/** The events of a team, as they come. */
@Module({
  imports: [StreamsModule],
  providers: [TeamEventStreams, { provide: TeamFeedNews, inject: [Broadcasts], useFactory: listeningNews }],
  exports: [TeamEventStreams],
})
export class FeedModule {}

function listeningNews(broadcasts: Broadcasts): TeamFeedNews {
  const news = new TeamFeedNews();
  broadcasts.listen(feedProgress, ({ team_id }) => news.notify(team_id));
  return news;
}
