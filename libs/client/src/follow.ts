import { ApiError } from './errors.js';
import { operationTable, type Operations, type RunEvent, type TeamEvent } from './generated.js';
import { prepare, type Input } from './request.js';
import { backoffMs, pause, retryDelayMs } from './retries.js';
import { serverSentEvents } from './server-sent-events.js';
import type { Transport } from './transport.js';

/** An event with the cursor behind which a stream can be taken up again, as `after`. */
export type Followed<Event> = Event & { readonly cursor: string };

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Told each time that the connection is lost, with what went wrong, and when it is there again. */
  readonly onConnection?: (state: 'lost' | 'open', error?: unknown) => void;
}

/** Three times the longest silence that the service keeps. */
const silenceMs = 45_000;

const endedStatuses: readonly string[] = ['completed', 'failed', 'stopped'];

/** Event streams that outlive their connections: nothing is skipped or repeated. */
export class Follow {
  constructor(private readonly transport: Transport) {}

  /** The events of a run, until it has ended. */
  async *run(
    input: Operations['streamRunEvents']['input'],
    options: FollowOptions = {},
  ): AsyncGenerator<Followed<RunEvent>, void, void> {
    const isOver = async () => {
      const request = prepare(operationTable.getRun, { run_id: input.run_id });
      const text = await this.transport.sendForText(request, { signal: options.signal });
      const { status } = JSON.parse(text) as Operations['getRun']['output'];
      return endedStatuses.includes(status);
    };
    yield* this.events<RunEvent>('streamRunEvents', input, options, isOver);
  }

  /** The events of a team, from now on or from `after`; ends when the signal says so. */
  team(
    input: Operations['streamTeamEvents']['input'] = {},
    options: FollowOptions = {},
  ): AsyncGenerator<Followed<TeamEvent>, void, void> {
    return this.events<TeamEvent>('streamTeamEvents', input, options, async () => false);
  }

  private async *events<Event extends object>(
    operation: 'streamRunEvents' | 'streamTeamEvents',
    input: Input,
    { signal: given, onConnection = () => undefined }: FollowOptions,
    isOver: () => Promise<boolean>,
  ): AsyncGenerator<Followed<Event>, void, void> {
    const signal = this.transport.endOf(given);
    const { target } = prepare(operationTable[operation], input, this.transport.teamId);
    let cursor: string | undefined;
    let failures = 0;
    while (!signal?.aborted) {
      const controller = new AbortController();
      const stop = () => controller.abort(signal!.reason);
      signal?.addEventListener('abort', stop, { once: true });
      let received = 0;
      try {
        const response = await this.transport.open(target, cursor, controller.signal);
        onConnection('open');
        for await (const { id, data } of serverSentEvents(response.body!, silenceMs)) {
          cursor = id ?? cursor;
          // It tells where the stream begins, in case that it breaks before the first event.
          if (data === undefined) continue;
          received += 1;
          failures = 0;
          yield { ...(JSON.parse(data) as Event), cursor: cursor ?? '' };
        }
        // A stream may have been cut off in the middle; one that begins at the end and ends there is over.
        if (received > 0) continue;
        if (await isOver()) return;
        // The next one may end as soon: a gateway that is about to leave ends each that is opened.
        await pause(backoffMs(0), signal);
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof ApiError && retryDelayMs(error, 0) === undefined) throw error;
        onConnection('lost', error);
        await pause(retryDelayMs(error, failures) ?? 1_000, signal).catch(() => undefined);
        failures += 1;
      } finally {
        signal?.removeEventListener('abort', stop);
        controller.abort();
      }
    }
  }
}
