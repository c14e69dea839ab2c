-- Written by `npm run sql`; do not edit.

-- findAgent (src/agents/agents.sql.ts)
  SELECT id, team_id, name, description, agentic_memory_enabled, live_build_id, live_status, last_revision_number, last_run_at, deleted_at, created_at, updated_at FROM agent WHERE id = $2 AND team_id = $1 AND deleted_at IS NULL;
