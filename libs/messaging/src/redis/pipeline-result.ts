type PipelineResult = readonly [error: Error | null, result: unknown][] | null;

/** ioredis resolves a pipeline even when Redis has refused some of its commands. */
export function assertPipeline(result: PipelineResult): void {
  for (const [error] of result ?? []) if (error) throw error;
}
