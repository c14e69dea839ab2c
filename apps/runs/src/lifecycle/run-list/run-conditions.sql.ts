import { hasEnded, type RunStatus } from '@aos/contracts';
import { containing, type RunFilter, type RunOrder } from './run-filters.js';

export interface Query {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** A team and a filter as conditions of SQL, with each value bound once. */
export class RunConditions {
  readonly parameters: unknown[] = [];
  private readonly team: string;
  private readonly equal: string[];
  private readonly ofCase: string | undefined;
  private readonly issues: string[];
  private readonly since: string | undefined;
  private readonly until: string | undefined;
  private readonly pattern: string | undefined;

  constructor(teamId: string, filter: RunFilter) {
    this.team = `team_id = ${this.bind(teamId)}`;
    this.equal = filter.equal.map(([dimension, value]) => `${dimension} = ${this.bind(value)}`);
    this.ofCase = filter.caseId && `case_id = ${this.bind(filter.caseId)}`;
    this.issues = [
      filter.hasIssues === true ? 'has_issues' : undefined,
      filter.hasIssues === false ? 'has_issues IS NOT TRUE' : undefined,
      filter.issueSeverity && `issue_severity = ${this.bind(filter.issueSeverity)}`,
    ].filter(isDefined);
    this.since = filter.since && this.bind(filter.since.toISOString());
    this.until = filter.until && this.bind(filter.until.toISOString());
    this.pattern = filter.search === undefined ? undefined : this.bind(containing(filter.search));
  }

  /** Runs of a status. What has ended before a moment was made and started before it, and is looked for from there. */
  ofStatus(status: RunStatus, key: RunOrder['by']): string {
    const ended = hasEnded(status);
    const from = ended && key !== 'completed_at' && this.until ? `${key} < ${this.until}` : undefined;
    return all([this.team, `status = '${status}'`, ...this.rest(ended), from, this.titled()]);
  }

  /** Rows of the ledger. */
  inLedger(statuses: readonly RunStatus[]): string {
    const names = statuses.map((status) => `'${status}'`).join(', ');
    return all([this.team, `status IN (${names})`, ...this.equal]);
  }

  /** Titles, where nothing else is asked for. */
  titles(): string {
    return all([this.team, `title LIKE ${this.pattern}`]);
  }

  private rest(ended: boolean): string[] {
    const moment = ended ? 'completed_at' : 'created_at';
    return [
      ...this.equal,
      this.ofCase,
      ...this.issues,
      this.since && `${moment} >= ${this.since}`,
      this.until && `${moment} < ${this.until}`,
    ].filter(isDefined);
  }

  private titled(): string | undefined {
    if (this.pattern === undefined) return undefined;
    return `EXISTS (SELECT FROM run_title WHERE run_id = run.id AND ${this.titles()})`;
  }

  private bind(value: string): string {
    return `$${this.parameters.push(value)}`;
  }
}

function all(conditions: readonly (string | undefined)[]): string {
  return conditions.filter(isDefined).join(' AND ');
}

export function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
