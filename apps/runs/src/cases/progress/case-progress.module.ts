import { Module } from '@nestjs/common';
import { CaseProgress } from './case-progress.js';

/** Requests that work in batches, and how far they have got. */
@Module({ providers: [CaseProgress], exports: [CaseProgress] })
export class CaseProgressModule {}
