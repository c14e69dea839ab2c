import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { anyOf } from './due-rows.sql.js';
import { Transactions } from '../transactions/transactions.js';

/** The loops of a quiet process look at the same moments, give or take some milliseconds. */
const gatherMs = 20;

/**
 * Tells the loops of a quiet process whether there are rows for them. What they ask within a moment is one statement:
 * most of them, most of the time, have nothing to do.
 */
@Injectable()
export class DueRows {
  private readonly questions = new Set<string>();
  private answers: Promise<ReadonlyMap<string, boolean>> | undefined;

  constructor(private readonly transactions: Transactions) {}

  /** `rows` selects them, without parameters. */
  async any(rows: string): Promise<boolean> {
    this.questions.add(rows);
    this.answers ??= this.ask();
    return (await this.answers).get(rows)!;
  }

  private async ask(): Promise<ReadonlyMap<string, boolean>> {
    await pause(gatherMs);
    const questions = [...this.questions];
    this.questions.clear();
    this.answers = undefined;
    const [row] = await this.transactions.query<{ found: boolean[] }>(anyOf(questions));
    return new Map(questions.map((question, index) => [question, row!.found[index]!]));
  }
}
