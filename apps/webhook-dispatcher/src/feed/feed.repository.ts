import { eventsOnlyByName, type EventEnvelope } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { FeedHeadEntity } from './feed.entities.js';
import { allEvents, eventsOfTypes } from './feed.sql.js';

export interface PlacedEvent {
  readonly position: number;
  readonly envelope: EventEnvelope;
}

export interface FeedPage {
  readonly events: readonly PlacedEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

export interface FeedRequest {
  readonly after: number;
  readonly limit: number;
  readonly types?: readonly string[];
}

interface Row {
  readonly position: string;
  readonly body: string;
  /** How many there were before the page was cut to its size. */
  readonly page_rows: number;
}

@Injectable()
export class FeedRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The last position that the feed has given; 0 where there is no event yet. */
  async head(teamId: string): Promise<number> {
    const head = await this.transactions.repository(FeedHeadEntity).findOneBy({ team_id: teamId });
    return Number(head?.position ?? 0);
  }

  async page(teamId: string, { after, limit, types }: FeedRequest): Promise<FeedPage> {
    // One more than asked for tells whether there is more.
    const range = [teamId, after, limit + 1];
    const rows = types
      ? await this.transactions.query<Row>(eventsOfTypes, [...range, [...new Set(types)]])
      : await this.transactions.query<Row>(allEvents, [...range, eventsOnlyByName]);
    const page = rows.slice(0, limit);
    return {
      events: page.map(({ position, body }) => ({
        position: Number(position),
        envelope: JSON.parse(body) as EventEnvelope,
      })),
      nextCursor: page.at(-1)?.position ?? String(after),
      hasMore: (rows[0]?.page_rows ?? 0) > page.length,
    };
  }
}
