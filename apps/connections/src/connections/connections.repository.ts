import type { ConnectionType } from '@aos/contracts';
import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, type FindOptionsWhere, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { ConnectionEntity } from './connection.entity.js';
import { sweepDrafts } from './connections.sql.js';

export type ConnectionChanges = QueryDeepPartialEntity<ConnectionEntity>;

/** One connection of a team, as long as it is such. */
export type ConnectionCondition = FindOptionsWhere<ConnectionEntity> & { id: string; team_id: string };

export type NewConnection = Pick<
  ConnectionEntity,
  'id' | 'team_id' | 'name' | 'type' | 'provider' | 'server_url'
> &
  Pick<ConnectionEntity, 'auth_method' | 'status'> &
  Partial<Pick<ConnectionEntity, 'headers' | 'sealed_headers' | 'sealed_path' | 'is_draft'>>;

/** As long as it has the credentials that were looked at. */
export function unchanged({ id, team_id, credentials_version }: ConnectionEntity) {
  return { id, team_id, credentials_version };
}

@Injectable()
export class ConnectionsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Lists the connections of one type, or of all types. */
  async list(
    teamId: string,
    type: ConnectionType | undefined,
    page: PageRequest,
  ): Promise<Page<ConnectionEntity>> {
    const where = { team_id: teamId, ...(type === undefined ? {} : { type }) };
    return findPage(this.rows, { where, order: { id: 'ASC' } }, page);
  }

  /** Until the transaction ends: connections that are made at the same time are counted one after the other. */
  async lockCount(teamId: string): Promise<void> {
    await this.transactions.lock(`connections of ${teamId}`);
  }

  count(teamId: string): Promise<number> {
    return this.rows.countBy({ team_id: teamId });
  }

  async find(teamId: string, id: string): Promise<ConnectionEntity | undefined> {
    return (await this.rows.findOneBy({ id, team_id: teamId })) ?? undefined;
  }

  /** With the time of Postgres, by which the times of the row are judged. */
  async findWithTime(teamId: string, id: string): Promise<{ row: ConnectionEntity; now: Date } | undefined> {
    const { entities, raw } = await this.rows
      .createQueryBuilder('connection')
      .addSelect('now()', 'now')
      .where({ id, team_id: teamId })
      .getRawAndEntities<{ now: Date }>();
    return entities[0] && { row: entities[0], now: raw[0]!.now };
  }

  findAll(teamId: string, ids: readonly string[]): Promise<ConnectionEntity[]> {
    return this.rows.findBy({ id: In([...ids]), team_id: teamId });
  }

  /** With its row locked until the transaction ends. */
  async lock(teamId: string, id: string): Promise<ConnectionEntity | undefined> {
    const where = { id, team_id: teamId };
    return (await this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } })) ?? undefined;
  }

  async insert(made: NewConnection): Promise<ConnectionEntity> {
    await this.rows.insert({
      headers: {},
      is_draft: false,
      ...made,
      oauth_scopes: [],
      required_scopes: [],
      credentials_version: 1,
      refresh_failures: 0,
      refresh_interrupted: false,
      created_at: () => 'now()',
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail({ id: made.id, team_id: made.team_id });
  }

  /** The changed row; nothing if none is such as the condition says. */
  async update(
    where: ConnectionCondition,
    changes: ConnectionChanges,
  ): Promise<ConnectionEntity | undefined> {
    const { affected } = await this.rows.update(where, { ...changes, updated_at: () => 'now()' });
    if (affected !== 1) return undefined;
    return this.rows.findOneByOrFail({ id: where.id, team_id: where.team_id });
  }

  async delete(teamId: string, id: string): Promise<ConnectionEntity | undefined> {
    const row = await this.lock(teamId, id);
    if (row) await this.rows.delete({ id, team_id: teamId });
    return row;
  }

  async sweepDrafts(): Promise<void> {
    await this.transactions.query(sweepDrafts);
  }

  private get rows(): Repository<ConnectionEntity> {
    return this.transactions.repository(ConnectionEntity);
  }
}
