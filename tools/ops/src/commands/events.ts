import { chosenServices, idOption, numberOption, type Command, type Row } from '../command.js';
import { Problem } from '../problem.js';

export const deadEvents: Command = {
  usage: 'events dead [--service NAME] [--limit N]',
  help: 'Events that a service could not handle, with the error; it tries them again by itself',
  options: ['service', 'limit'],
  async run(product, given) {
    const rows: Row[] = [];
    for (const service of chosenServices(given)) {
      rows.push(
        ...(await product.query<Row>(
          service,
          `SELECT $1::text AS service, id, source, event ->> 'event' AS event, attempts, next_attempt_at, created_at,
                  left(error, 200) AS error
             FROM dead_event ORDER BY created_at LIMIT $2`,
          [service, numberOption(given, 'limit', 50)],
        )),
      );
    }
    return { rows, note: rows.length === 0 ? 'There are no dead events.' : undefined };
  },
};

/** The service that owns the row takes it as it takes any that is due: under its lock, with its own handler. */
export const retryEvents: Command = {
  usage: 'events retry --service NAME [--id ID]',
  help: 'Makes dead events of a service due now; the service tries them within seconds',
  options: ['service', 'id'],
  async run(product, given) {
    if (given.options['service'] === undefined) throw new Problem('--service is missing.', 64);
    const [service] = chosenServices(given);
    const rows = await product.query<Row>(
      service!,
      `UPDATE dead_event SET next_attempt_at = now()
        WHERE next_attempt_at > now() AND ($1::uuid IS NULL OR id = $1)
       RETURNING id, source, event ->> 'event' AS event, attempts`,
      [idOption(given, 'id') ?? null],
    );
    return { rows, note: `${rows.length} due now.` };
  },
};
