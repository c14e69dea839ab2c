import { BackgroundLoops } from '@aos/background';
import { storageMeasured } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { takeChangedStorage } from './storage-meter.sql.js';

/** The stored bytes last reported to billing. */
@Entity('storage_report')
export class StorageReportEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint')
  bytes!: string;
}

/**
 * Tells billing what the files of teams take. All sandboxes are added up, now and then: a count that moved with every
 * file would be one row of a team that all its runs wait for.
 */
@Injectable()
export class StorageMeter {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    loops: BackgroundLoops,
    @Inject(RunsSettings) settings: Pick<RunsConfig, 'STORAGE_MEASURE_EVERY_MS'>,
  ) {
    loops.add({
      name: 'the measurement of stored files',
      idleMs: settings.STORAGE_MEASURE_EVERY_MS,
      work: async () => {
        await this.measure();
        return false;
      },
    });
  }

  async measure(): Promise<void> {
    await this.transactions.run(async () => {
      await this.transactions.lock('the measurement of stored files');
      const changed = await this.transactions.query<{ team_id: string; bytes: string }>(takeChangedStorage);
      if (changed.length === 0) return;
      await this.outbox.record(
        ...changed.map(({ team_id: teamId, bytes }) =>
          newEvent({ event: storageMeasured, teamId, data: { bytes: Number(bytes) } }),
        ),
      );
    });
  }
}
