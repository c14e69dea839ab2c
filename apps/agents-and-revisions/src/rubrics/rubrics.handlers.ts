import {
  createEvalRubric,
  deleteEvalRubric,
  findRubrics,
  getEvalRubrics,
  platformRubrics,
  replaceEvalRubrics,
  updateEvalRubric,
  type Req,
  type rubricSchema,
} from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import type { RubricEntity } from './rubric.entity.js';
import { RubricsService } from './rubrics.service.js';

@Controller()
export class RubricsHandlers {
  constructor(private readonly rubrics: RubricsService) {}

  @Handles(getEvalRubrics)
  async getEvalRubrics({ teamId, params, query }: Req<typeof getEvalRubrics>) {
    const rubrics = await this.rubrics.list(teamId, params.agentId, query.build_id);
    return { rubrics: rubrics.map(toRubric), platform_rubrics: [...platformRubrics] };
  }

  @Handles(createEvalRubric)
  async createEvalRubric({ teamId, params, body }: Req<typeof createEvalRubric>) {
    const { build_id: buildId, ...wanted } = body;
    return rubricAnswer(await this.rubrics.create(teamId, params.agentId, buildId, wanted));
  }

  @Handles(replaceEvalRubrics)
  async replaceEvalRubrics({ teamId, params, body }: Req<typeof replaceEvalRubrics>) {
    const rubrics = await this.rubrics.replace(teamId, params.agentId, body.build_id, body.rubrics);
    return { rubrics: rubrics.map(toRubric) };
  }

  @Handles(updateEvalRubric)
  async updateEvalRubric({ teamId, params, body }: Req<typeof updateEvalRubric>) {
    return rubricAnswer(await this.rubrics.update(teamId, params.agentId, params.rubric_id, body));
  }

  @Handles(deleteEvalRubric)
  async deleteEvalRubric({ teamId, params }: Req<typeof deleteEvalRubric>): Promise<undefined> {
    await this.rubrics.delete(teamId, params.agentId, params.rubric_id);
  }

  @HandlesInternal(findRubrics)
  async findRubrics({ wanted }: Req<typeof findRubrics>) {
    const found = await this.rubrics.ofBuilds(wanted);
    return { found: found.map((rubrics) => rubrics.map(toJudgedRubric)) };
  }
}

function toJudgedRubric({ id, slug, title, description, severity, version }: RubricEntity) {
  return { rubric_id: id, slug, title, description, severity, version };
}

function rubricAnswer(row: RubricEntity): { rubric_id: string; rubric: z.input<typeof rubricSchema> } {
  return { rubric_id: row.id, rubric: toRubric(row) };
}

function toRubric(row: RubricEntity): z.input<typeof rubricSchema> {
  return {
    id: row.id,
    rubric_id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    severity: row.severity,
    sort_order: row.sort_order,
    version: row.version,
    build_id: row.build_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
