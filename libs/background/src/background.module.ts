import { Global, Module } from '@nestjs/common';
import { BackgroundLoops } from './background-loops.js';

/** What a service does beside its requests. */
@Global()
@Module({ providers: [BackgroundLoops], exports: [BackgroundLoops] })
export class BackgroundModule {}
