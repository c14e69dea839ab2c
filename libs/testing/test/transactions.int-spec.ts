import { AppError } from '@aos/contracts';
import { Batcher } from '@aos/background';
import { createDataSource, isStoreUnavailable, Transactions } from '@aos/persistence';
import { Column, Entity, PrimaryColumn, type DataSource } from 'typeorm';
import { createTestDatabase, eventually, startTcpProxy, type TestDatabase } from '../src/index.js';
import { idleInTransaction } from './blocking-session.js';

@Entity('note')
class NoteEntity {
  @PrimaryColumn('text')
  text!: string;

  @Column('integer', { default: 0 })
  edits!: number;
}

describe('transactions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;
  const callbackErrors: unknown[] = [];

  beforeAll(async () => {
    database = await createTestDatabase([]);
    await database.query('CREATE SCHEMA notes');
    await database.query('CREATE TABLE notes.note (text text PRIMARY KEY, edits integer NOT NULL DEFAULT 0)');
    const settings = { url: database.url, schema: 'notes', poolSize: 5, applicationName: 'notes' };
    dataSource = await createDataSource(settings, { entities: [NoteEntity], migrations: [] }).initialize();
    transactions = new Transactions(dataSource, (error) => callbackErrors.push(error));
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  beforeEach(async () => {
    await database.query('DELETE FROM notes.note');
  });

  const write = (text: string) => transactions.query('INSERT INTO note (text) VALUES ($1)', [text]);
  const notes = async () => {
    const rows = await database.query<{ text: string }>('SELECT text FROM notes.note ORDER BY text');
    return rows.map(({ text }) => text);
  };
  const failing = async (text: string): Promise<never> => {
    await write(text);
    throw new Error(`no ${text}`);
  };

  it('keep everything or nothing', async () => {
    await transactions.run(async () => {
      await write('a');
      await transactions.run(() => write('b'));
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toEqual(['a', 'b']);
    await expect(transactions.run(() => failing('c'))).rejects.toThrow('no c');
    expect(await notes()).toEqual(['a', 'b']);
    expect(transactions.active).toBe(false);
  });

  it('hold what repositories of entities do', async () => {
    const repository = () => transactions.repository(NoteEntity);
    await transactions.run(async () => {
      await repository().insert({ text: 'kept' });
      const undone = transactions.savepoint(async () => {
        await repository().update({ text: 'kept' }, { edits: () => 'edits + 1' });
        await repository().save({ text: 'undone', edits: 1 });
        throw new Error('no edits');
      });
      await expect(undone).rejects.toThrow('no edits');
      await write('by hand');
      expect(await repository().countBy({ edits: 0 })).toBe(2);
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toEqual(['by hand', 'kept']);
    const failed = transactions.run(async () => {
      await repository().delete({ text: 'kept' });
      throw new Error('no delete');
    });
    await expect(failed).rejects.toThrow('no delete');
    expect(await repository().findOneByOrFail({ text: 'kept' })).toEqual({ text: 'kept', edits: 0 });
  });

  it('are kept apart, more of them than there are connections', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        transactions.run(async () => {
          await write(`note ${index}`);
          const [row] = await transactions.query<{ count: number }>(
            'SELECT count(*)::int AS count FROM note',
          );
          if (index % 3 === 0) throw new Error('undone');
          return row!.count;
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
    expect(await notes()).toHaveLength(40);
    expect(await idleInTransaction(database)).toBe(0);
  });

  describe('savepoints', () => {
    it('undo their own work alone', async () => {
      await transactions.run(async () => {
        await write('before');
        await expect(transactions.savepoint(() => failing('inside'))).rejects.toThrow('no inside');
        await transactions.savepoint(() => write('kept'));
        await write('after');
      });
      expect(await notes()).toEqual(['after', 'before', 'kept']);
    });

    it('undo all of their work, also after one inside them was undone', async () => {
      await transactions.run(async () => {
        await write('before');
        const outer = transactions.savepoint(async () => {
          await write('outer');
          await transactions.savepoint(() => failing('inner')).catch(() => undefined);
          await transactions.savepoint(() => write('inner and kept'));
          throw new Error('no outer');
        });
        await expect(outer).rejects.toThrow('no outer');
      });
      expect(await notes()).toEqual(['before']);
    });

    it('beside each other do not undo each other', async () => {
      const one = async (index: number) => {
        await write(`first ${index}`);
        await write(`second ${index}`);
        if (index % 2 === 0) throw new Error('undone');
      };
      await transactions.run(async () => {
        const all = Array.from({ length: 6 }, (_, index) => transactions.savepoint(() => one(index)));
        const outcomes = await Promise.allSettled(all);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      });
      expect(await notes()).toEqual(
        [1, 3, 5].map((n) => `first ${n}`).concat([1, 3, 5].map((n) => `second ${n}`)),
      );
    });

    it('need a transaction around them', async () => {
      await expect(transactions.savepoint(() => write('alone'))).rejects.toThrow('inside a transaction');
    });
  });

  describe('what follows a commit', () => {
    it('happens after it, and only if it was one', async () => {
      const happened: string[] = [];
      await transactions.run(async () => {
        transactions.afterCommit(() => happened.push('committed'));
        await transactions.savepoint(async () => transactions.afterCommit(() => happened.push('released')));
        const undone = transactions.savepoint(async () => {
          transactions.afterCommit(() => happened.push('undone'));
          throw new Error('no');
        });
        await expect(undone).rejects.toThrow('no');
        expect(happened).toEqual([]);
      });
      const rolledBack = transactions.run(async () => {
        transactions.afterCommit(() => happened.push('rolled back'));
        throw new Error('no');
      });
      await expect(rolledBack).rejects.toThrow('no');
      expect(happened).toEqual(['committed', 'released']);
    });

    it('cannot undo it', async () => {
      const happened: string[] = [];
      const result = await transactions.run(async () => {
        await write('done');
        transactions.afterCommit(() => {
          throw Object.assign(new Error('too late'), { code: '40001' });
        });
        transactions.afterCommit(() => happened.push('the next'));
        return 'done';
      });
      expect(result).toBe('done');
      expect(happened).toEqual(['the next']);
      expect(callbackErrors).toEqual([expect.objectContaining({ message: 'too late' })]);
      expect(await notes()).toEqual(['done']);
    });
  });

  it('do not report success when Postgres has rolled back', async () => {
    const happened: string[] = [];
    const careless = transactions.run(async () => {
      await write('lost');
      transactions.afterCommit(() => happened.push('lost'));
      await transactions.query('SELECT no_such_column FROM note').catch(() => undefined);
      return 'all is well';
    });
    await expect(careless).rejects.toThrow('was not committed');
    expect(happened).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  it('are run again after a deadlock', async () => {
    await write('x');
    await write('y');
    let runs = 0;
    let meet: (() => void) | undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const edit = (first: string, second: string) => {
      let tries = 0;
      return transactions.run(async () => {
        tries += 1;
        await transactions.query('UPDATE note SET edits = edits + 1 WHERE text = $1', [first]);
        runs += 1;
        // Both hold their first row before one asks for its second.
        if (tries === 1) {
          if (runs === 2) meet!();
          await met;
        }
        await transactions.query('UPDATE note SET edits = edits + 1 WHERE text = $1', [second]);
      });
    };
    await Promise.all([edit('x', 'y'), edit('y', 'x')]);
    // Three, unless Postgres has ended both.
    expect(runs).toBeGreaterThan(2);
    expect(await database.query('SELECT edits FROM notes.note')).toEqual([{ edits: 2 }, { edits: 2 }]);
  });

  describe('whose connection breaks', () => {
    const breakConnection = async () => {
      const [row] = await transactions.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [row!.pid]);
      await eventually(async () => {
        const sessions = await database.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [row!.pid]);
        expect(sessions).toEqual([]);
      });
    };
    const error = async (work: () => Promise<unknown>) =>
      transactions.run(work).then(
        () => 'committed',
        (reason: unknown) => reason,
      );

    it.each([
      ['before a statement', async () => write('next')],
      ['before the commit', async () => undefined],
      ['before a savepoint', () => transactions.savepoint(() => write('inside'))],
    ])('are undone and say that the store was away: %s', async (_, then) => {
      const outcome = await error(async () => {
        await write('first');
        await breakConnection();
        await then();
      });
      expect(isStoreUnavailable(outcome)).toBe(true);
      expect(await notes()).toEqual([]);
    });

    it('are undone and say so when it breaks inside a savepoint', async () => {
      const outcome = await error(async () => {
        await transactions.savepoint(async () => {
          await write('first');
          await breakConnection();
          await write('second');
        });
      });
      expect(isStoreUnavailable(outcome)).toBe(true);
    });

    it('keep the reason of a refusal inside a savepoint', async () => {
      const seen: unknown[] = [];
      const outcome = await error(async () => {
        const refused = transactions.savepoint(async () => {
          await breakConnection();
          throw new AppError('limit_reached', 'No more.');
        });
        await refused.catch((reason: unknown) => seen.push(reason));
        await write('a record of it');
      });
      expect(seen).toEqual([expect.objectContaining({ code: 'limit_reached' })]);
      expect(isStoreUnavailable(outcome)).toBe(true);
      expect(await notes()).toEqual([]);
    });

    it('do not spoil the pool', async () => {
      for (let round = 0; round < 10; round += 1) await error(breakConnection);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => transactions.run(() => write(`after ${index}`))),
      );
      expect(await notes()).toHaveLength(20);
    });
  });

  it('are undone and say that the store was away when it has vanished without a word', async () => {
    const proxy = await startTcpProxy(database.url);
    const settings = { url: proxy.url, schema: 'notes', poolSize: 3, applicationName: 'far notes' };
    const distant = await createDataSource(
      { ...settings, statementTimeoutMs: 500 },
      { entities: [], migrations: [] },
    ).initialize();
    const far = new Transactions(distant);
    try {
      const outcomes = Array.from({ length: 6 }, () =>
        far
          .run(async () => {
            await far.query('SELECT 1');
            proxy.freeze();
            await far.query('SELECT 1');
          })
          .catch((reason: unknown) => reason),
      );
      const reasons = (await Promise.all(outcomes)).filter((reason) => reason !== undefined);
      expect(reasons.length).toBeGreaterThan(0);
      expect(reasons.every(isStoreUnavailable)).toBe(true);
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          far.run(() => far.query('INSERT INTO note (text) VALUES ($1)', [`far ${index}`])),
        ),
      );
      expect(await notes()).toHaveLength(6);
    } finally {
      await distant.destroy();
      await proxy.close();
    }
  });

  it('are not lent to a batch that one of its callers began in one', async () => {
    const seen: boolean[] = [];
    const batcher = new Batcher<string, void>({
      maxSize: 10,
      run: async (texts) => {
        seen.push(transactions.active);
        await transactions.run(() =>
          transactions.query('INSERT INTO note (text) SELECT unnest($1::text[])', [texts]),
        );
        return texts.map(() => ({ ok: true, value: undefined }));
      },
    });
    const rolledBack = transactions.run(async () => {
      await batcher.add('begun inside');
      throw new Error('undone');
    });
    await expect(rolledBack).rejects.toThrow('undone');
    await batcher.add('later');
    expect(seen).toEqual([false, false]);
    expect(await notes()).toEqual(['begun inside', 'later']);
  });
});
