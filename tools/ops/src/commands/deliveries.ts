import { replayWebhooks, type TeamPrincipal } from '@aos/contracts';
import { idOption, numberOption, type Command, type Row } from '../command.js';
import { Problem } from '../problem.js';

const dispatcher = 'webhook-dispatcher';

export const deadDeliveries: Command = {
  usage: 'deliveries dead [--webhook ID] [--team ID] [--limit N]',
  help: 'Receivers with deliveries that were given up: how many, since when, and what was answered last',
  options: ['webhook', 'team', 'limit'],
  async run(product, given) {
    const rows = await product.query<Row>(
      dispatcher,
      `WITH counted AS (
         SELECT c.target_id, c.deliveries FROM delivery_count c
          WHERE c.status = 'dead' AND c.deliveries > 0 AND ($1::uuid IS NULL OR c.target_id = $1))
       SELECT s.id AS webhook, s.team_id AS team, s.enabled, counted.deliveries AS dead,
              first.created_at AS oldest, last.status_code AS answered, left(last.error, 120) AS error
         FROM counted JOIN webhook_subscription s ON s.id = counted.target_id
        CROSS JOIN LATERAL (
          SELECT created_at, event_id FROM delivery
           WHERE target_id = s.id AND status = 'dead' ORDER BY event_id LIMIT 1) AS first
         LEFT JOIN LATERAL (
          SELECT status_code, error FROM delivery_attempt
           WHERE target_id = s.id AND event_id = first.event_id ORDER BY number DESC LIMIT 1) AS last ON true
        WHERE $2::uuid IS NULL OR s.team_id = $2
        ORDER BY counted.deliveries DESC LIMIT $3`,
      [idOption(given, 'webhook') ?? null, idOption(given, 'team') ?? null, numberOption(given, 'limit', 50)],
    );
    return { rows, note: rows.length === 0 ? 'No webhook has dead deliveries.' : undefined };
  },
};

const msInHour = 3_600_000;

/** By the operation that the team itself would call, of whose account it is. */
export const retryDeliveries: Command = {
  usage: 'deliveries retry --webhook ID [--hours N]',
  help: 'Asks the dispatcher to send the dead deliveries of a webhook again (of the last 720 hours)',
  options: ['webhook', 'hours'],
  async run(product, given) {
    const webhook = idOption(given, 'webhook');
    if (webhook === undefined) throw new Problem('--webhook is missing.', 64);
    const [found] = await product.query<{ team_id: string }>(
      dispatcher,
      'SELECT team_id FROM webhook_subscription WHERE id = $1',
      [webhook],
    );
    if (!found) throw new Problem(`There is no webhook ${webhook}.`);
    const since = new Date(Date.now() - numberOption(given, 'hours', 720) * msInHour);
    const principal: TeamPrincipal = {
      kind: 'api_key',
      teamId: found.team_id,
      credentialId: 'operator',
      scopes: [replayWebhooks.scope!],
    };
    const answer = await product.client().callOperation(replayWebhooks, {
      principal,
      params: { teamId: found.team_id, subscriptionId: webhook },
      query: {},
      body: { since: since.toISOString(), only_dead: true },
    });
    const body = JSON.parse(answer.body) as Row;
    if (answer.status !== replayWebhooks.status) throw new Problem(`Refused: ${answer.body}`);
    return { rows: [{ webhook, replay: body['replay_id'], since: body['since'], until: body['until'] }] };
  },
};
