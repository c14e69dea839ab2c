import { connectionActionRequired, connectionUpdated } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { Injectable } from '@nestjs/common';
import type { ConnectionEntity } from './connection.entity.js';

/** Tells what became of connections; inside the transaction in which it did. */
@Injectable()
export class ConnectionEvents {
  constructor(private readonly outbox: Outbox) {}

  async updated(row: ConnectionEntity): Promise<void> {
    await this.outbox.record({ event: connectionUpdated, teamId: row.team_id, data: factsOf(row) });
  }

  async actionRequired(row: ConnectionEntity, reason: string): Promise<void> {
    const data = { ...factsOf(row), reason };
    await this.outbox.record({ event: connectionActionRequired, teamId: row.team_id, data });
  }
}

function factsOf({ id, provider, name, status, broken_reason: reason }: ConnectionEntity) {
  const facts = { connection_id: id, provider, name, status };
  return reason === null ? facts : { ...facts, reason };
}
