import type { EventStatement } from './consumes.js';
import { makeTogether } from './gathered-statements.js';

describe('statements of several handlers', () => {
  const statement = (sql: string): EventStatement => ({ sql, parameters: [] });

  it('are made together, and each handler goes on when they are', async () => {
    const order: string[] = [];
    const asking = (sql: string) => async (perform: (statement: EventStatement) => Promise<void>) => {
      await perform(statement(sql));
      order.push(`${sql} went on`);
    };
    await makeTogether([asking('a'), async () => undefined, asking('b')], async (statements) => {
      order.push(statements.map(({ sql }) => sql).join(' and '));
    });
    expect(order).toEqual(['a and b', 'a went on', 'b went on']);
  });

  it('of handlers that take their time are waited for', async () => {
    const made: string[] = [];
    const late = async (perform: (statement: EventStatement) => Promise<void>) => {
      await new Promise((resolve) => setImmediate(resolve));
      await perform(statement('late'));
    };
    await makeTogether([late], async (statements) => {
      made.push(...statements.map(({ sql }) => sql));
    });
    expect(made).toEqual(['late']);
  });

  it('are not made if one fails before it has said what it wants, and the others hear of it', async () => {
    const made: unknown[] = [];
    const heard: unknown[] = [];
    const fault = new Error('cannot read this');
    const asking = (perform: (statement: EventStatement) => Promise<void>) =>
      perform(statement('a')).catch((error: unknown) => {
        heard.push(error);
        throw error;
      });
    const failing = async () => {
      throw fault;
    };
    const making = makeTogether([asking, failing], async (statements) => {
      made.push(statements);
    });
    await expect(making).rejects.toBe(fault);
    expect(made).toEqual([]);
    expect(heard).toEqual([fault]);
  });

  it('that cannot be made fail for all who wanted one', async () => {
    const fault = new Error('Postgres is away');
    const outcomes: unknown[] = [];
    const asking = (perform: (statement: EventStatement) => Promise<void>) =>
      perform(statement('a')).catch((error: unknown) => {
        outcomes.push(error);
        throw error;
      });
    await expect(makeTogether([asking, asking], () => Promise.reject(fault))).rejects.toBe(fault);
    expect(outcomes).toEqual([fault, fault]);
  });
});
