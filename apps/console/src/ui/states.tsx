import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from './problem';

/** Says what will be here, and how to get there. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div className="stack" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="skeleton" style={{ width: `${90 - index * 14}%` }} />
      ))}
    </div>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, advice, detail } = problemOf(error);
  return (
    <div className="banner bad" role="alert">
      <div className="grow">
        <strong>{title}</strong> {advice}
        <div className="small">{detail}</div>
      </div>
      {retry && (
        <button type="button" className="button small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows the data of a query, or why there is none. Data stays visible during a refetch. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: UseQueryResult<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading lines={lines} />;
}
