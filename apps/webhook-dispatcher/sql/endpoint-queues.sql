-- Written by `npm run sql`; do not edit.

-- wakeQueue (src/endpoint-queues/endpoint-queues.sql.ts)
    INSERT INTO endpoint_queue AS l (id, team_id, subscription_id, due_at, wakes, used_at)
    VALUES ($1::uuid, $2::uuid, $3::uuid, now(), 1, now())
    ON CONFLICT (id) DO UPDATE SET due_at = now(), wakes = l.wakes + 1, used_at = excluded.used_at
    RETURNING l.id, l.wakes, l.team_id;
