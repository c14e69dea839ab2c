/** Webhooks, the feed and deliveries. */
export const webhookTables: readonly string[] = [
  `
CREATE TABLE webhook_subscription (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  enabled boolean NOT NULL,
  disabled_reason text,
  last_delivery_at timestamptz(3),
  consecutive_failures integer NOT NULL,
  failing_since timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX webhook_subscription_team ON webhook_subscription (team_id, id)',
  `
CREATE TABLE webhook_secret (
  team_id uuid PRIMARY KEY,
  sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  previous_sealed text,
  previous_expires_at timestamptz(3)
)`,
  `
CREATE TABLE feed_event (
  team_id uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  event text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  traceparent text,
  PRIMARY KEY (team_id, "position")
)`,
  'CREATE INDEX feed_event_type ON feed_event (team_id, event, "position")',
  'CREATE INDEX feed_event_age ON feed_event (created_at)',
  `CREATE INDEX feed_event_run ON feed_event ((body::json #>> '{data,run_id}'), position)`,
  `

ALTER TABLE feed_event
  ALTER body SET STATISTICS 0, ALTER traceparent SET STATISTICS 0`,
  `

ALTER TABLE feed_event
  ALTER team_id SET STATISTICS 20, ALTER position SET STATISTICS 20, ALTER id SET STATISTICS 20,
  ALTER event SET STATISTICS 20, ALTER created_at SET STATISTICS 20`,
  `
CREATE TABLE feed_head (
  team_id uuid PRIMARY KEY,
  position bigint NOT NULL,
  behind boolean DEFAULT false NOT NULL
) WITH (fillfactor = 50)`,
  `
CREATE TABLE delivery (
  target_id uuid NOT NULL,
  event_id uuid NOT NULL,
  team_id uuid NOT NULL,
  position bigint NOT NULL,
  queue_id uuid NOT NULL,
  event text NOT NULL,
  url text,
  status text NOT NULL,
  attempts integer NOT NULL,
  attempts_before integer NOT NULL,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  delivered_at timestamptz(3),
  PRIMARY KEY (target_id, event_id)
)`,
  'CREATE INDEX delivery_status ON delivery (target_id, status, event_id)',
  `CREATE INDEX delivery_due ON delivery (queue_id, next_attempt_at, "position") WHERE status = 'pending'`,
  'CREATE INDEX delivery_age ON delivery (created_at)',
  `
CREATE TABLE delivery_attempt (
  target_id uuid NOT NULL,
  event_id uuid NOT NULL,
  number integer NOT NULL,
  attempted_at timestamptz(3) NOT NULL,
  status_code integer,
  duration_ms integer NOT NULL,
  error text,
  response_body text,
  PRIMARY KEY (target_id, event_id, number)
)`,
  `
CREATE TABLE delivery_count (
  target_id uuid NOT NULL,
  status text NOT NULL,
  deliveries bigint NOT NULL,
  PRIMARY KEY (target_id, status)
) WITH (fillfactor = 50)`,
  `
CREATE TABLE delivery_replay (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  target_id uuid NOT NULL,
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  only_dead boolean NOT NULL,
  after_event_id uuid
)`,
  `
CREATE TABLE endpoint_queue (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  subscription_id uuid,
  due_at timestamptz(3),
  wakes bigint NOT NULL,
  lease_token uuid,
  lease_until timestamptz(3),
  used_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50)`,
  'CREATE INDEX endpoint_queue_due ON endpoint_queue (team_id, due_at) WHERE due_at IS NOT NULL',
  `
CREATE TABLE feed_fanout (
  team_id uuid PRIMARY KEY,
  position bigint NOT NULL,
  served_at timestamptz
) WITH (fillfactor = 50)`,
  // Updated with every batch of outcomes: room in the page keeps the updates off the index.
  `
CREATE TABLE delivery_meter (
  team_id uuid PRIMARY KEY,
  delivered bigint NOT NULL,
  reported bigint NOT NULL
) WITH (fillfactor = 50)`,
  `
CREATE TABLE deleted_run (
  run_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL,
  due_at timestamptz(3),
  after_position bigint NOT NULL
)`,
  'CREATE INDEX deleted_run_due ON deleted_run (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX deleted_run_age ON deleted_run (deleted_at)',
];
