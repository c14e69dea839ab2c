/** Part of the statement that deletes runs: their own sandboxes expire, and the sweep takes the files, unless another run uses them. */
export const expiredSandboxes = `sandboxes AS (
    UPDATE sandbox SET expires_at = now() FROM gone WHERE sandbox.id = gone.id)`;
