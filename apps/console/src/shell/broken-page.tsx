import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link } from '@tanstack/react-router';
import { isLoadError } from '../ui/load-error';
import { Failure } from '../ui/states';

/** A page that failed; the rest of the console goes on. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="page">
      {isLoadError(error) ? (
        <>
          <h1>This page could not be loaded</h1>
          <div className="banner warn" role="alert">
            <div className="grow">The console was updated, or the connection was lost. Reload to go on.</div>
            <button type="button" className="button small" onClick={() => window.location.reload()}>
              Reload
            </button>
          </div>
        </>
      ) : (
        <>
          <h1>This page failed</h1>
          <Failure error={error} retry={reset} />
        </>
      )}
    </div>
  );
}

export function UnknownPage() {
  return (
    <div className="page">
      <div className="empty">
        <strong>There is no such page</strong>
        <p>The address may be incomplete.</p>
        <Link to="/" className="button">
          To the first page
        </Link>
      </div>
    </div>
  );
}
