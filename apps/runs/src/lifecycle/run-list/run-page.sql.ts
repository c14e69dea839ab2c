import { hasEnded, type RunStatus, runStatuses } from '@aos/contracts';
import { type PageRequest, withinPageBytes } from '@aos/persistence';
import { evalSummary } from '../../evaluations/run-evaluations.sql.js';
import type { RunStartPart } from '../../run-core/changes/statement-parts.js';
import { listed, publicColumns } from '../../run-core/run-columns.js';
import { postponedTo } from '../../run-core/run-row.sql.js';
import { isDefined, type Query, RunConditions } from './run-conditions.sql.js';
import { endedOf, isLedgerFilter, openOf, type RunFilter, type RunOrder, searchable } from './run-filters.js';

/** The title is stored beside its run, folded as searches compare it. */
export const searchedTitles: RunStartPart = {
  columns: [['searched_title', 'text']],
  values: ({ title, case_title: caseTitle }) => ({
    searched_title: searchable(caseTitle === null || caseTitle === title ? title : `${title}\n${caseTitle}`),
  }),
  sql: `titled AS (
    INSERT INTO run_title (run_id, team_id, title) SELECT run_id, team_id, searched_title FROM changed)`,
};

/** Part of the statement that deletes runs. */
export const deletedTitles = `titles AS (DELETE FROM run_title USING gone WHERE run_title.run_id = gone.id)`;

/**
 * How many runs match, in one snapshot. Among 1 000 000 runs the ledger tells it in 2 ms, and open ones are counted
 * where they are. With other filters rows are counted: 0.3 to 0.7 µs each by a time or by issues, 0.15 s for a word of
 * every second title, 0.9 s for that and a status. By hand for that.
 */
export function runTotalQuery(teamId: string, filter: RunFilter): Query {
  const conditions = new RunConditions(teamId, filter);
  const counts = countsOf(filter, conditions).map((count) => `(SELECT ${count})`);
  return { sql: `SELECT ${counts.join(' + ')} AS total`, parameters: conditions.parameters };
}

function countsOf(filter: RunFilter, conditions: RunConditions): string[] {
  if (asksOnlyForTitle(filter)) return [`count(*) FROM run_title WHERE ${conditions.titles()}`];
  // Each status by itself: an index whose condition says the same as a list of statuses is read from end to end.
  const counted = isLedgerFilter(filter) ? openOf(filter) : filter.statuses;
  const counts = counted.map(
    (status) => `count(*) FROM run WHERE ${conditions.ofStatus(status, 'completed_at')}`,
  );
  const ended = endedOf(filter);
  if (!isLedgerFilter(filter) || ended.length === 0) return counts;
  return [...counts, `coalesce(sum(runs), 0) FROM run_tally WHERE ${conditions.inLedger(ended)}`];
}

/** Every run has a title. */
function asksOnlyForTitle(filter: RunFilter): boolean {
  return (
    filter.search !== undefined &&
    filter.statuses.length === runStatuses.length &&
    filter.equal.length === 0 &&
    isLedgerFilter({ ...filter, search: undefined })
  );
}

/** Upper bound of the JSON size: some characters take six bytes. */
const publicBytes =
  '500 + coalesce(octet_length(to_json(result)::text), 0) + coalesce(octet_length(metadata::text), 0)';

/** Runs that have the time they are ordered by, or those that do not; a branch for each status. */
interface Part {
  readonly statuses: readonly RunStatus[];
  /** Set if the status does not imply that the time exists. */
  readonly only?: string;
  readonly timeless?: boolean;
}

/**
 * The rows of a page. Each status is a branch that an index gives in order, and Postgres merges the branches row by
 * row: a page costs what lies before and in it, however many runs there are. By hand for that.
 */
export function runPageQuery(teamId: string, filter: RunFilter, sort: RunOrder, page: PageRequest): Query {
  const conditions = new RunConditions(teamId, filter);
  const steps = new PageSteps(conditions, filter, sort, page);
  const order = `part, ${steps.inOrder('key', 'id')}`;
  const rows = withinPageBytes(`SELECT part, key, run.* FROM page JOIN run ON run.id = page.id`, {
    order,
    bytes: publicBytes,
  });
  return {
    sql: `WITH ${steps.all().join(',\n')}
SELECT ${listed(publicColumns, 'run')}, run.page_rows, ${evalSummary}, ${postponedTo} FROM (${rows}) AS run ORDER BY ${order}`,
    parameters: conditions.parameters,
  };
}

class PageSteps {
  private readonly depth: number;
  private readonly cut: string;
  /** No index covers two dimensions; the ledger tells whether any row matches. */
  private readonly asksLedger: boolean;

  constructor(
    private readonly conditions: RunConditions,
    private readonly filter: RunFilter,
    private readonly order: RunOrder,
    page: PageRequest,
  ) {
    this.depth = page.offset + page.limit;
    this.cut = `LIMIT ${page.limit} OFFSET ${page.offset}`;
    this.asksLedger = filter.equal.length > 1 && endedOf(filter).length > 0;
  }

  all(): string[] {
    const [first, second] = partsOf(this.filter, this.order.by);
    const steps = second ? this.twoParts(first, second) : [this.onePart(first)];
    return this.asksLedger ? [this.ledger(), ...steps] : steps;
  }

  inOrder(key: string, id: string): string {
    const { direction } = this.order;
    return `${key} ${direction}, ${id} ${direction}`;
  }

  private onePart(part: Part): string {
    return `page AS MATERIALIZED (SELECT 1 AS part, id, key FROM (${this.merged(part)} ${this.cut}) AS runs)`;
  }

  /** The second is not looked at where the first fills the page. */
  private twoParts(first: Part, second: Part): string[] {
    const gate = `(SELECT count(*) FROM first_part) < ${this.depth}`;
    return [
      `first_part AS MATERIALIZED (${this.merged(first)} LIMIT ${this.depth})`,
      `second_part AS (${this.merged(second, gate)} LIMIT ${this.depth})`,
      `page AS MATERIALIZED (
  SELECT part, id, key
    FROM (SELECT 1 AS part, id, key FROM first_part UNION ALL SELECT 2, id, key FROM second_part) AS parts
   ORDER BY part, ${this.inOrder('key', 'id')} ${this.cut})`,
    ];
  }

  private merged({ statuses, only, timeless = false }: Part, gate?: string): string {
    const { by } = this.order;
    const branches = statuses.map((status) => {
      const runs = this.conditions.ofStatus(status, timeless ? 'created_at' : by);
      const where = [runs, only, gate, this.known(status)].filter(isDefined).join(' AND ');
      // The planner must know that few rows are wanted, or it reads and sorts them all.
      return `(SELECT id, ${by} AS key FROM run WHERE ${where}
   ORDER BY ${this.inOrder(by, 'id')} LIMIT ${this.depth})`;
    });
    return `
  SELECT id, key FROM (
  ${branches.join('\n  UNION ALL\n  ')}) AS branches
   ORDER BY ${this.inOrder('key', 'id')}`;
  }

  private ledger(): string {
    return `ledger AS MATERIALIZED (
  SELECT status, sum(runs) AS runs FROM run_tally WHERE ${this.conditions.inLedger(endedOf(this.filter))}
   GROUP BY status)`;
  }

  private known(status: RunStatus): string | undefined {
    if (!this.asksLedger || !hasEnded(status)) return undefined;
    return `(SELECT runs FROM ledger WHERE status = '${status}') > 0`;
  }
}

/** Runs without the time that is asked for come last, whatever the direction. */
function partsOf(filter: RunFilter, by: RunOrder['by']): [Part, Part?] {
  const { statuses } = filter;
  if (by === 'created_at') return [{ statuses }];
  if (by === 'started_at') {
    return [
      { statuses, only: 'started_at IS NOT NULL' },
      { statuses, only: 'started_at IS NULL', timeless: true },
    ];
  }
  const ended: Part = { statuses: endedOf(filter) };
  const open: Part = { statuses: openOf(filter), timeless: true };
  if (open.statuses.length === 0) return [ended];
  return ended.statuses.length === 0 ? [open] : [ended, open];
}
