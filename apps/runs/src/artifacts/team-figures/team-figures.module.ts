import { Module } from '@nestjs/common';
import { TeamFigures } from './team-figures.js';

/** What a team has done, in sums, for the pages that show it. */
@Module({ providers: [TeamFigures], exports: [TeamFigures] })
export class TeamFiguresModule {}
