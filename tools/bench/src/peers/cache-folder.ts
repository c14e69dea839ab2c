import { isAbsolute, join } from 'node:path';

/** Where the peers are kept between two runs: never in the project, so that its lock file knows nothing of them. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const wanted = environment['XDG_CACHE_HOME'];
  // The specification of these folders says that one which is not absolute is to be ignored.
  const base = wanted && isAbsolute(wanted) ? wanted : join(home, '.cache');
  return join(base, 'agent-operations-service', 'peers');
}
