/** How long an upload may take before its bytes are swept. */
export const uploadMs = 2 * 3600_000;

/** A download of what was replaced or deleted may still be under way. */
export const graceMs = 60_000;
