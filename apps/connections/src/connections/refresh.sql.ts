/**
 * Takes the right to refresh, unless another has it or the tokens are others by now: of all workers one asks the
 * provider. A lease that ran out belonged to a process that died while it asked. $1: id, $2: team, $3: version of the
 * credentials, $4: the lease, $5: for how many ms.
 */
export const claimRefresh = `
  UPDATE connection
     SET refresh_interrupted = refresh_interrupted OR refresh_lease_until IS NOT NULL,
         refresh_lease_id = $4, refresh_lease_until = now() + make_interval(secs => $5 / 1000.0)
   WHERE id = $1 AND team_id = $2 AND credentials_version = $3 AND status = 'active' AND sealed_tokens IS NOT NULL
     AND (refresh_lease_until IS NULL OR refresh_lease_until < now())
  RETURNING refresh_interrupted`;

/**
 * Connections whose tokens are to be refreshed: of each team the longest due, then of each the second, and so on. Only
 * what is due is read. $1: how many, $2: the issuers that are left out.
 */
export const dueRefreshes = `
  SELECT connection.* FROM (
    SELECT id, refresh_at, row_number() OVER (PARTITION BY team_id ORDER BY refresh_at) AS place FROM connection
     WHERE refresh_at <= now() AND status = 'active'
       AND (refresh_lease_until IS NULL OR refresh_lease_until < now())
       AND coalesce(oauth #>> '{server,issuer}', '') <> ALL ($2::text[])
     ORDER BY place, refresh_at LIMIT $1) AS due
    JOIN connection USING (id)
   ORDER BY due.place, due.refresh_at`;

/** No answer: the next try is later. $1: id, $2: team, $3: the lease, $4: tries, $5: in how many ms. */
export const postponeRefresh = `
  UPDATE connection
     SET refresh_failures = $4, refresh_at = now() + make_interval(secs => $5 / 1000.0),
         refresh_lease_id = NULL, refresh_lease_until = NULL
   WHERE id = $1 AND team_id = $2 AND refresh_lease_id = $3`;
