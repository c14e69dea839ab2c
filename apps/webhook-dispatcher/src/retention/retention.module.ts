import { Module } from '@nestjs/common';
import { Retention } from './retention.js';

/** What is older than it is to be kept goes. */
@Module({ providers: [Retention] })
export class RetentionModule {}
