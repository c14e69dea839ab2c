import { setTimeout as pause } from 'node:timers/promises';
import { signWebhook, type Client, type Followed, type InputOf, type TeamEvent } from '@aos/client';
import type { Output } from './output.js';
import { oneLine } from './safe-text.js';

export interface Forwarding {
  readonly url: string;
  readonly types?: InputOf<'streamTeamEvents'>['types'];
  /** The cursor to begin behind; from now on where there is none. */
  readonly after?: number;
}

const attempts = 3;
const firstPauseMs = 250;
const answerMs = 10_000;

/**
 * Hands the events of the team to a receiver that the service cannot reach, one after the other and signed as
 * deliveries are, so that a receiver can be written against the real thing.
 */
export class EventForwarder {
  constructor(
    private readonly client: Client,
    private readonly output: Output,
  ) {}

  /** Until the signal says that it is enough. */
  async forward({ url, types, after }: Forwarding, signal: AbortSignal): Promise<void> {
    const { secret } = await this.client.getWebhookSecret();
    this.output.remark(`Forwarding to ${url}. Stop with Ctrl-C.`);
    const options = {
      signal,
      onConnection: (state: 'lost' | 'open') => {
        if (state === 'lost') this.output.remark('Connection lost. Trying again; nothing is skipped.');
      },
    };
    for await (const event of this.client.follow.team({ types, after }, options)) {
      const outcome = await this.deliver(url, event, secret, signal);
      this.output.item({ cursor: event.cursor, id: event.id, event: event.event, outcome }, () => [
        `${event.created_at}  ${event.event}  ${outcome}`,
      ]);
    }
  }

  /** The answer's status, or what kept it from coming. */
  private async deliver(
    url: string,
    { cursor: _cursor, ...envelope }: Followed<TeamEvent>,
    secret: string,
    signal: AbortSignal,
  ): Promise<string> {
    const body = JSON.stringify(envelope);
    let outcome = '';
    for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
      if (attempt > 0) await pause(firstPauseMs * 2 ** (attempt - 1), undefined, { signal });
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-service-event': envelope.event,
            'x-service-delivery': envelope.id,
            ...(await signWebhook({ id: envelope.id, body, secret })),
          },
          body,
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
        });
        await response.body?.cancel();
        outcome = String(response.status);
        if (response.ok) return outcome;
      } catch (error) {
        outcome = oneLine((error as Error).message);
      }
    }
    return outcome;
  }
}
