import { createIndexConcurrently } from '@aos/persistence';
import type { QueryRunner } from 'typeorm';
import { migrationProblems, problemsSince } from './migration-rules.js';

const none = new Set<string>();

describe('a migration that is made while replicas work', () => {
  it.each([
    ['CREATE INDEX run_team ON run (team_id)', /run: an index is made with createIndexConcurrently/],
    ['CREATE UNIQUE INDEX IF NOT EXISTS run_team ON "run" (team_id)', /createIndexConcurrently/],
    ['ALTER TABLE run ADD CONSTRAINT good CHECK (a > 0)', /NOT VALID/],
    ['ALTER TABLE run ADD FOREIGN KEY (a) REFERENCES b', /NOT VALID/],
    ['ALTER TABLE run ADD CONSTRAINT one UNIQUE (a)', /USING INDEX/],
    ['ALTER TABLE run ALTER COLUMN a TYPE bigint', /rewrites all rows/],
    ['ALTER TABLE run ALTER a SET NOT NULL', /reads all rows/],
    ['ALTER TABLE run RENAME COLUMN a TO b', /new name/],
    ['ALTER TABLE run\n  ADD b text,\n  ALTER a SET DATA TYPE text', /rewrites all rows/],
    ['UPDATE run SET a = 1', /by a job/],
    ['DELETE FROM run WHERE a = 1', /by a job/],
  ])('may not hold up others: %s', (sql, problem) => {
    expect(migrationProblems([sql], none)).toEqual([expect.stringMatching(problem)]);
    // Nobody waits for a table that is new.
    expect(migrationProblems([sql], new Set(['run']))).toEqual([]);
  });

  it.each([
    'ALTER TABLE run ADD a text',
    'ALTER TABLE run ADD a integer NOT NULL DEFAULT 0',
    'ALTER TABLE run ADD CONSTRAINT good CHECK (a > 0) NOT VALID',
    'ALTER TABLE run VALIDATE CONSTRAINT good',
    'ALTER TABLE run ADD CONSTRAINT one UNIQUE USING INDEX run_one',
    'ALTER TABLE run ALTER COLUMN type SET STATISTICS 0',
    'ALTER TABLE run DROP COLUMN a',
    'CREATE TABLE gear (id uuid PRIMARY KEY, run_id uuid REFERENCES run, updated boolean)',
    'INSERT INTO gear VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1',
  ])('may do what takes a moment: %s', (sql) => {
    expect(migrationProblems([sql], new Set(['gear']))).toEqual([]);
  });

  it('makes an index concurrently and does nothing else', async () => {
    class Alone1 {
      readonly transaction = false;

      up(runner: QueryRunner): Promise<void> {
        return createIndexConcurrently(runner, { name: 'run_team', table: 'run', definition: '(team_id)' });
      }
    }
    class More2 extends Alone1 {
      override async up(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE run ADD a text');
        await super.up(runner);
      }
    }
    class InTransaction3 extends Alone1 {
      override readonly transaction = true as never;
    }
    expect(await problemsSince([], [Alone1])).toEqual([]);
    expect(await problemsSince([], [More2])).toEqual([
      'More2: what makes an index concurrently does nothing else',
    ]);
    await expect(problemsSince([], [InTransaction3])).rejects.toThrow(/transaction = false/);
  });

  it('is looked at only if it came after the release, beside the others that did', async () => {
    class Old1 {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE INDEX a ON run (a)');
      }
    }
    class Table2 {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE gear (id uuid)');
      }
    }
    class Index3 {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE INDEX gear_id ON gear (id)');
      }
    }
    expect(await problemsSince(['Old1'], [Old1, Table2, Index3])).toEqual([]);
    expect(await problemsSince(['Old1', 'Table2'], [Old1, Table2, Index3])).toHaveLength(1);
    expect(await problemsSince([], [Old1])).toEqual([
      'Old1: run: an index is made with createIndexConcurrently',
    ]);
  });
});
