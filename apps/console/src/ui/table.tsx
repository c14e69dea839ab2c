import type { Key, ReactNode } from 'react';

export interface Column<Row> {
  readonly title: ReactNode;
  /** Classes of the cells. The title of a column on the right is on the right, too. */
  readonly className?: string;
  readonly cell: (row: Row) => ReactNode;
}

export interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  readonly columns: readonly Column<Row>[];
  /** The buttons of a row. */
  readonly actions?: (row: Row) => ReactNode;
}

export function Table<Row>({ rows, keyOf, columns, actions }: TableProps<Row>) {
  return (
    <div className="scroll">
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, className }, index) => (
              <th key={index} className={className?.startsWith('right') ? 'right' : undefined}>
                {title}
              </th>
            ))}
            {actions && (
              <th>
                <span className="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ className, cell }, index) => (
                <td key={index} className={className}>
                  {cell(row)}
                </td>
              ))}
              {actions && <td className="right">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
