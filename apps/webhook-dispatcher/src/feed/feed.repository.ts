import type { EventEnvelope } from '@aos/contracts';
import { Transactions, withinPageBytes } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';

export interface FeedPage {
  readonly events: readonly EventEnvelope[];
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

const size = { order: 'position', bytes: 'octet_length(body)' };

const allEvents = withinPageBytes(
  'SELECT position, body FROM feed_event WHERE team_id = $1 AND position > $2 ORDER BY position LIMIT $3',
  size,
);

/** From each of the types the next ones: an event of a rare type is found without reading all others. */
const eventsOfTypes = withinPageBytes(
  `SELECT position, body FROM unnest($4::text[]) AS wanted(event)
   CROSS JOIN LATERAL (
     SELECT position, body FROM feed_event
      WHERE team_id = $1 AND feed_event.event = wanted.event AND position > $2 ORDER BY position LIMIT $3) AS found
   ORDER BY position LIMIT $3`,
  size,
);

@Injectable()
export class FeedRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async page(teamId: string, { after, limit, types }: FeedRequest): Promise<FeedPage> {
    // One more than asked for tells whether there is more.
    const range = [teamId, after, limit + 1];
    const rows = types
      ? await this.transactions.query<Row>(eventsOfTypes, [...range, [...new Set(types)]])
      : await this.transactions.query<Row>(allEvents, range);
    const shown = rows.slice(0, limit);
    return {
      events: shown.map(({ body }) => JSON.parse(body) as EventEnvelope),
      nextCursor: shown.at(-1)?.position ?? String(after),
      hasMore: (rows[0]?.page_rows ?? 0) > shown.length,
    };
  }
}
