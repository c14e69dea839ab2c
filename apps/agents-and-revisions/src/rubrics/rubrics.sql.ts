import { columnsOf } from '@aos/persistence';
import { RubricEntity } from './rubric.entity.js';

/** A set: the rubrics of each of many builds, whose runs are judged together. */
export const rubricsOfBuilds = `
  SELECT wanted.place, ${columnsOf(RubricEntity, 'eval_rubric')}
    FROM jsonb_to_recordset($1::jsonb) AS wanted(place int, team_id uuid, build_id uuid)
    JOIN eval_rubric ON eval_rubric.build_id = wanted.build_id AND eval_rubric.team_id = wanted.team_id
   ORDER BY wanted.place, eval_rubric.sort_order, eval_rubric.id`;
