import type { CaseDisplayStatus } from '@aos/contracts';
import { type PageRequest, withinPageBytes } from '@aos/persistence';
import { containing, searchable } from '../lifecycle/run-list/run-filters.js';
import { type CaseFilter, type CaseOrder, isLedgerFilter, isStored } from './case-filter.js';
import { labelsColumn } from './cases.sql.js';

export interface Query {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** The position of a walk in creation order. */
export interface CaseCursor {
  readonly created_at: string;
  readonly id: string;
}

/** As many letters as the index of words needs. */
const shortestWord = 3;

/** Upper bound of the JSON size: some characters take six bytes. */
const caseBytes = '700 + octet_length(data::text) + octet_length(to_json(title)::text)';

/** How each is told from the others that are not settled. */
const shownAs: Readonly<Record<Exclude<CaseDisplayStatus, 'pending' | 'completed' | 'failed'>, string>> = {
  in_progress: 'claimed_by_run_id IS NOT NULL AND pending_human_request_id IS NULL',
  needs_input: 'claimed_by_run_id IS NOT NULL AND pending_human_request_id IS NOT NULL',
  postponed: 'claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND postponed_to > now()',
};

/**
 * The rows of a page. Each status and rank is a branch that an index gives in order, and Postgres merges the branches
 * row by row: a page costs what lies before and in it, however many cases there are. By hand for that.
 */
export function casePageQuery(filter: CaseFilter, order: CaseOrder, { limit, offset }: PageRequest): Query {
  const conditions = new CaseConditions(filter);
  const { keys, sorted } = orderOf(order);
  const branches = branchesOf(conditions, order).map(
    // The planner must know that few rows are wanted, or it reads and sorts them all.
    (branch) => `(SELECT id, ${keys.join(', ')} FROM queue_case WHERE ${branch.where}
   ORDER BY ${branch.order} LIMIT ${limit + offset})`,
  );
  const page = `SELECT id, ${keys.join(', ')} FROM (${branches.join('\n UNION ALL ')}) AS branches
   ORDER BY ${sorted()} LIMIT ${limit} OFFSET ${offset}`;
  const rows = withinPageBytes(`SELECT queue_case.* FROM page JOIN queue_case ON queue_case.id = page.id`, {
    order: sorted(),
    bytes: caseBytes,
  });
  return {
    sql: `WITH page AS MATERIALIZED (${page})
SELECT shown.*, ${labelsColumn} FROM (${rows}) AS shown ORDER BY ${sorted('shown.')}`,
    parameters: conditions.parameters,
  };
}

/**
 * How many there are: the ledger tells it, or the rows that match are counted, at most so many. A count of all that match
 * a common word would read the queue. By hand: a sum of sets.
 */
export function caseTotalQuery(filter: CaseFilter, most: number): Query {
  const conditions = new CaseConditions(filter);
  if (isLedgerFilter(filter)) {
    return {
      sql: `SELECT coalesce(sum(cases), 0) AS total FROM case_tally WHERE ${conditions.inLedger()}`,
      parameters: conditions.parameters,
    };
  }
  const branches = conditions
    .branches({ together: true })
    .map((where) => `(SELECT FROM queue_case WHERE ${where} LIMIT ${most})`);
  return {
    // One branch alone would have two limits, which Postgres refuses.
    sql: `SELECT count(*) AS total FROM (SELECT FROM (${branches.join('\n UNION ALL ')}) AS branches LIMIT ${most}) AS found`,
    parameters: conditions.parameters,
  };
}

/**
 * The labels that a filter names. Their cases are found by their ids: a plan that knows them knows how many there are. By
 * hand: a join with a set.
 */
export function labelsQuery({ queueId, labels }: CaseFilter): Query {
  const names = labels.flatMap(([key, values]) => values.map((value) => ({ key, value })));
  return {
    sql: `SELECT label.id, label.key FROM case_label AS label
      JOIN jsonb_to_recordset($2::jsonb) AS wanted(key text, value text) USING (key, value) WHERE label.queue_id = $1`,
    parameters: [queueId, JSON.stringify(names)],
  };
}

/** Cases in the order of their making, from a place on; for walks over all that match. By hand: as the page. */
export function caseWalkQuery(filter: CaseFilter, after: CaseCursor | undefined, limit: number): Query {
  const conditions = new CaseConditions(filter);
  const from =
    after &&
    `(created_at, id) > (${conditions.bind(after.created_at)}::timestamptz, ${conditions.bind(after.id)}::uuid)`;
  const branches = conditions.branches().map(
    (where) => `(SELECT id, created_at FROM queue_case WHERE ${from ? `${where} AND ${from}` : where}
   ORDER BY created_at, id LIMIT ${limit})`,
  );
  return {
    sql: `SELECT id, created_at FROM (${branches.join('\n UNION ALL ')}) AS branches
   ORDER BY created_at, id LIMIT ${limit}`,
    parameters: conditions.parameters,
  };
}

/** A filter as conditions of SQL, with each value bound once. */
class CaseConditions {
  readonly parameters: unknown[] = [];
  private readonly queue: string;
  private readonly rest: string[];

  constructor(private readonly filter: CaseFilter) {
    const { search, createdFrom, createdTo, createdUntil, updatedFrom, updatedTo, labelIds = [] } = filter;
    this.queue = `queue_id = ${this.bind(filter.queueId)}`;
    this.rest = [
      ...(createdFrom ? [`created_at >= ${this.bind(createdFrom.toISOString())}`] : []),
      ...(createdTo ? [`created_at <= ${this.bind(createdTo.toISOString())}`] : []),
      ...(createdUntil ? [`created_at <= ${this.bind(createdUntil.toISOString())}`] : []),
      ...(updatedFrom ? [`updated_at >= ${this.bind(updatedFrom.toISOString())}`] : []),
      ...(updatedTo ? [`updated_at <= ${this.bind(updatedTo.toISOString())}`] : []),
      ...labelIds.map((ids) => this.labelled(ids)),
      ...(search === undefined ? [] : [this.contains(search)]),
    ];
  }

  /** Cases of each status, and of each rank unless their order does not matter. */
  branches({ together = false }: { together?: boolean } = {}): string[] {
    const { statuses, ranks } = this.filter;
    return statuses.flatMap((status) => {
      const ofStatus = isStored(status)
        ? `status = '${status}'`
        : `status = 'pending' AND ${shownAs[status]}`;
      const ranked = together ? [`rank IN (${ranks.join(', ')})`] : ranks.map((rank) => `rank = ${rank}`);
      return ranked.map((ofRank) => [this.queue, ofStatus, ofRank, ...this.rest].join(' AND '));
    });
  }

  inLedger(): string {
    const names = this.filter.statuses.map((status) => `'${status}'`).join(', ');
    return `${this.queue} AND status IN (${names}) AND rank IN (${this.filter.ranks.join(', ')})`;
  }

  bind(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }

  private labelled(ids: readonly string[]): string {
    return `EXISTS (SELECT FROM case_label_link AS link
      WHERE link.case_id = queue_case.id AND link.label_id = ANY (${this.bind(ids)}::uuid[]))`;
  }

  private contains(search: string): string {
    const found = [`words.text LIKE ${this.bind(containing(search))}`];
    const text = searchable(search);
    if ([...text].length < shortestWord) found.push(this.hasLetters(text));
    return `EXISTS (SELECT FROM case_text AS words
      WHERE words.case_id = queue_case.id AND words.queue_id = queue_case.queue_id AND ${found.join(' AND ')})`;
  }

  /** Follows from the text; said, so that the index of letters finds the few that have a rare one. */
  private hasLetters(text: string): string {
    return `string_to_array(words.text, NULL) @> string_to_array(${this.bind(text)}::text, NULL)`;
  }
}

interface Branch {
  readonly where: string;
  readonly order: string;
}

/**
 * Sorted by when they come back, cases that are postponed come first: they are free, and the index of those gives them in
 * order. No other has such a time; an order that named it would be sorted by hand.
 */
function branchesOf(conditions: CaseConditions, order: CaseOrder): Branch[] {
  if (order.by !== 'postponed_to') {
    return conditions.branches().map((where) => ({ where, order: orderOf(order).sorted() }));
  }
  const { direction: way } = order;
  const inOrder = `created_at ${way}, id ${way}`;
  return [
    ...conditions.branches({ together: true }).map((where) => ({
      where: `${where} AND ${isFree} AND postponed_to IS NOT NULL`,
      order: `postponed_to ${way}, ${inOrder}`,
    })),
    ...conditions.branches().map((where) => ({ where: `${where} AND postponed_to IS NULL`, order: inOrder })),
  ];
}

const isFree = `status = 'pending' AND claimed_by_run_id IS NULL`;

/** Among equal priorities the oldest comes first, as in dispatch. */
function orderOf({ by, direction }: CaseOrder): { keys: string[]; sorted: (prefix?: string) => string } {
  const keys = keysOf[by];
  // The more urgent, the lower is the rank.
  const way = by !== 'priority' ? direction : direction === 'desc' ? 'asc' : 'desc';
  return {
    keys,
    sorted: (prefix = '') =>
      [...keys, 'id']
        .map((key) => `${prefix}${key} ${way}${key === 'postponed_to' ? ' NULLS LAST' : ''}`)
        .join(', '),
  };
}

const keysOf: Readonly<Record<CaseOrder['by'], string[]>> = {
  created_at: ['created_at'],
  updated_at: ['updated_at'],
  priority: ['rank', 'created_at'],
  postponed_to: ['postponed_to', 'created_at'],
};
