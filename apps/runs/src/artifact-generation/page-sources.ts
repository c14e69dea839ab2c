import { Injectable } from '@nestjs/common';
import type { ArtifactEntity } from '../artifact-core/artifact.entities.js';
import { TeamFigures } from '../team-figures/team-figures.js';
import type { PageSources } from './page-maker.js';

/** What the page of an artifact may be made from. */
@Injectable()
export class ArtifactSources {
  constructor(private readonly figures: TeamFigures) {}

  of({ team_id: teamId }: ArtifactEntity): PageSources {
    return {
      figures: (days) => this.figures.of(teamId, days),
      tools: [],
      call: async (name) => ({ error: `There is no tool named ${name}.` }),
    };
  }
}
