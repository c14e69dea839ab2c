import { Module } from '@nestjs/common';
import { LiveBuilds } from './live-builds.js';

/** What the agents service says a run is to be made of. */
@Module({ providers: [LiveBuilds], exports: [LiveBuilds] })
export class LiveBuildsModule {}
