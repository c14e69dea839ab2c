/** What a run was started from. $1: the digest. By hand: read when a worker takes a run whose build it has not in memory. */
export const findBuildCopy = 'SELECT build FROM build_copy WHERE digest = $1';
