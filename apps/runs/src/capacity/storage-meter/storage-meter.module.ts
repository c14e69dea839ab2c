import { Module } from '@nestjs/common';
import { StorageMeter } from './storage-meter.js';

/** What billing is told of stored files. */
@Module({ providers: [StorageMeter] })
export class StorageMeterModule {}
