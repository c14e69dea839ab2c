export const works = ['one step', 'three steps'] as const;
export type Work = (typeof works)[number];

/** A POST that starts a run and whose answer tells that it has completed. */
export interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What stands in the answer as soon as the run has completed, and not before. */
  readonly completed: string;
}

/** Something that runs durable work, ready to be asked. */
export interface Contender {
  readonly name: string;
  readonly calls: Readonly<Record<Work, Call>>;
  /** Its processes, without those that they have started. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}
