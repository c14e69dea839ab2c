import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link } from '@tanstack/react-router';
import { Failure } from '../ui/states';

/** A page that failed; the rest of the console goes on. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="page">
      <h1>This page failed</h1>
      <Failure error={error} retry={reset} />
    </div>
  );
}

export function UnknownPage() {
  return (
    <div className="page">
      <div className="empty">
        <strong>There is no such page</strong>
        <p>The address may be incomplete.</p>
        <Link to="/runs" className="button">
          To the runs
        </Link>
      </div>
    </div>
  );
}
