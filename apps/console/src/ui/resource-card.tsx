import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from './page';
import { Loaded } from './states';
import { Table, type TableProps } from './table';

interface ResourceCardProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly title?: string;
  readonly query: UseQueryResult<readonly Row[]>;
  /** The button that adds one. */
  readonly add?: ReactNode;
  /** Stands in place of an empty table. */
  readonly empty?: ReactNode;
  /** Dialogs. */
  readonly children?: ReactNode;
}

/** A card with the table of what a query gives. */
export function ResourceCard<Row>({ title, query, add, empty, children, ...table }: ResourceCardProps<Row>) {
  return (
    <Card title={title} flush actions={add}>
      <Loaded query={query}>
        {(rows) => (empty && rows.length === 0 ? empty : <Table rows={rows} {...table} />)}
      </Loaded>
      {children}
    </Card>
  );
}
