/** $1: the digest. Read when a worker takes a run whose build is not in memory. */
export const findBuildCopy = 'SELECT build FROM build_copy WHERE digest = $1';
