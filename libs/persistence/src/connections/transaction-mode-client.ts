import type pg from 'pg';
import { WritableClient } from './writable-client.js';

const opensTransaction = /^\s*(START TRANSACTION|BEGIN)\b/i;

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/**
 * A client of pg for a pooler in transaction mode, behind which the next transaction may have another session: what a
 * session would be told once, each transaction is told at its beginning, and a statement that stands alone has a
 * transaction of its own.
 */
export function transactionModeClient(
  settings: Readonly<Record<string, string | number>>,
): typeof WritableClient {
  const setAll = Object.entries(settings)
    .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
    .join('; ');

  class TransactionModeClient extends WritableClient {
    private readonly send: Query = (text, values) =>
      super.query(text, values) as unknown as Promise<pg.QueryResult>;

    private readonly ask = (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
      if (this.getTransactionStatus() !== 'I') return this.send(text, values);
      if (opensTransaction.test(text)) return this.send(`${text}; ${setAll}`);
      return this.alone(text, values);
    };

    // TypeORM and our own code give text and parameters, and wait for a promise.
    override query = this.ask as pg.Client['query'];

    private async alone(text: string, values?: unknown[]): Promise<pg.QueryResult> {
      await this.send(`BEGIN; ${setAll}`);
      try {
        const result = await this.send(text, values);
        await this.send('COMMIT');
        return result;
      } catch (error) {
        // Fails when the connection is gone, and with it the transaction.
        await this.send('ROLLBACK').catch(() => undefined);
        throw error;
      }
    }
  }
  return TransactionModeClient;
}
