import type { JobDefinition } from '@aos/contracts';
import type { z } from 'zod';

const processesKey = Symbol('aos:processes');

/** What a job's handler is told beside the payload. */
export interface JobRun {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** Aborted when the process wants to end; work that can be handed back should be. */
  readonly signal: AbortSignal;
}

type JobHandler<J extends JobDefinition> = (payload: z.output<J['payload']>, run: JobRun) => Promise<void>;

/** Binds a provider's method to a declared job. It may run twice for one job: the row in Postgres decides. */
export function Processes<J extends JobDefinition>(job: J) {
  return <H extends JobHandler<J>>(
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    Reflect.defineMetadata(processesKey, job, descriptor.value!);
  };
}

export function processedBy(method: object): JobDefinition | undefined {
  return Reflect.getMetadata(processesKey, method) as JobDefinition | undefined;
}
