import { oldCodeProblems } from './old-code-problems.js';
import type { CatalogColumn, SchemaCatalog } from './schema-catalog.js';

const text = { type: 'text', required: true, filled: false };
const id = { type: 'uuid', required: true, filled: false };
const note = { type: 'text', required: false, filled: false };

const before = {
  tables: { widget: { id, name: text, note } },
  rules: { widget: ['PRIMARY KEY (id)'] },
} satisfies SchemaCatalog;

function after(columns: Record<string, CatalogColumn>, rules = ['PRIMARY KEY (id)']): SchemaCatalog {
  return { tables: { widget: columns }, rules: { widget: rules } };
}

describe('what old code cannot do with new tables', () => {
  it.each([
    ['nothing has changed', before.tables.widget],
    ['a column more may be null', { ...before.tables.widget, colour: note }],
    ['a column more has a default', { ...before.tables.widget, colour: { ...text, filled: true } }],
    ['a column may be null now', { ...before.tables.widget, name: { ...text, required: false } }],
  ])('is nothing where %s', (_, columns) => {
    expect(oldCodeProblems(before, after(columns))).toEqual([]);
  });

  it('is nothing where there are tables more, and rules of these', () => {
    const more = {
      tables: { ...before.tables, gear: { id } },
      rules: { ...before.rules, gear: ['CHECK (id)'] },
    };
    expect(oldCodeProblems(before, more)).toEqual([]);
  });

  it.each([
    ['a column is gone', { id, name: text }, 'widget.note: is gone'],
    ['a type is another', { id, name: { ...text, type: 'uuid' }, note }, 'widget.name: was text and is uuid'],
    ['a column is required now', { id, name: text, note: text }, 'widget.note: may no longer be null'],
    [
      'a column more is required, and filled in by nothing',
      { id, name: text, note, colour: text },
      'widget.colour: is new, required, and filled in by nothing',
    ],
  ])('is told where %s', (_, columns, problem) => {
    expect(oldCodeProblems(before, after(columns))).toEqual([problem]);
  });

  it('is told where a table is gone, and where rows must obey more', () => {
    expect(oldCodeProblems(before, { tables: {}, rules: {} })).toEqual(['widget: is gone']);
    expect(
      oldCodeProblems(before, after(before.tables.widget, ['PRIMARY KEY (id)', 'UNIQUE (name)'])),
    ).toEqual(['widget: has a new rule, UNIQUE (name)']);
  });

  it('is told where a default is gone', () => {
    const filled = { tables: { widget: { id: { ...id, filled: true } } }, rules: {} };
    expect(oldCodeProblems(filled, { tables: { widget: { id } }, rules: {} })).toEqual([
      'widget.id: is no longer filled in',
    ]);
  });
});
