-- Written by `npm run sql`; do not edit.

-- insertBuilderRun (src/builder-runs/builder-runs.sql.ts)
  INSERT INTO builder_run (id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config,
                           answers, job_id, created_at)
  VALUES ($1, $2, $3, $4, 'pending', 'queued', $5, $6, '[]', $7, now())
  ON CONFLICT DO NOTHING RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- findBuilderRun (src/builder-runs/builder-runs.sql.ts)
  SELECT builder_run.id, builder_run.team_id, builder_run.agent_id, builder_run.build_id, builder_run.status, builder_run.phase, builder_run.prompt, builder_run.checkpoint_config, builder_run.draft_config, builder_run.proposed_config, builder_run.pending_user_questions, builder_run.answers, builder_run.error, builder_run.failed_attempts, builder_run.lost_workers, builder_run.job_id, builder_run.lease_token, builder_run.lease_until, builder_run.created_at, builder_run.started_at, builder_run.completed_at FROM builder_run JOIN agent ON agent.id = builder_run.agent_id
   WHERE builder_run.id = $2 AND builder_run.team_id = $1 AND agent.deleted_at IS NULL;

-- resumeBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET status = $4, phase = 'drafting', pending_user_questions = NULL,
         answers = answers || $5::jsonb, job_id = $6
   WHERE id = $2 AND team_id = $1 AND status = ANY($3::text[]) RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- decideBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET status = $4, completed_at = now()
   WHERE id = $2 AND team_id = $1 AND status = ANY($3::text[]) RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- claimBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET status = $3,
         lost_workers = lost_workers + CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END,
         lease_token = $4, lease_until = now() + $5 * interval '1 ms',
         phase = CASE phase WHEN 'queued' THEN 'reading' ELSE phase END,
         started_at = coalesce(started_at, now())
   WHERE id = $1 AND (status = ANY($2::text[])
                      OR (status = $3 AND (lease_until IS NULL OR lease_until <= now())))
   RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- renewBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET lease_until = now() + $4 * interval '1 ms'
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- enterPhase (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET phase = $4, draft_config = coalesce($5, draft_config), lost_workers = 0
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- askForBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET status = $4, lease_token = NULL, lease_until = NULL, failed_attempts = 0, lost_workers = 0, phase = 'clarifying', pending_user_questions = $5
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- proposeDraft (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET status = $4, lease_token = NULL, lease_until = NULL, failed_attempts = 0, lost_workers = 0, phase = 'done', proposed_config = draft_config, draft_config = NULL
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- failBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET status = $4, lease_token = NULL, lease_until = NULL, failed_attempts = 0, lost_workers = 0, error = $5, completed_at = now()
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;

-- releaseBuilderRun (src/builder-runs/builder-runs.sql.ts)
  UPDATE builder_run SET lease_token = NULL, lease_until = NULL, failed_attempts = failed_attempts + $4
   WHERE id = $1 AND team_id = $2 AND lease_token = $3 AND status = 'running' RETURNING id, team_id, agent_id, build_id, status, phase, prompt, checkpoint_config, draft_config, proposed_config, pending_user_questions, answers, error, failed_attempts, lost_workers, job_id, lease_token, lease_until, created_at, started_at, completed_at;
