import type { Client, Followed, RunEvent } from '@aos/client';
import { CommandError } from './exit-codes.js';
import { answerOf, pendingRequestOf } from './human-answers.js';
import { messageLines } from './message-lines.js';
import type { Output } from './output.js';
import type { Prompts } from './prompts.js';
import { requestLines } from './run-lines.js';
import { rowsOf } from './rows.js';
import { oneLine, safeText } from './safe-text.js';

/** Shows what a run does as it does it, through lost connections, and has its questions answered at the terminal. */
export class RunFollower {
  /** Messages that were shown. */
  private shown = 0;

  constructor(
    private readonly client: Client,
    private readonly output: Output,
    private readonly prompts: Prompts | undefined,
  ) {}

  /** Until the run has ended; fails if the run has. */
  async follow(runId: string, signal: AbortSignal): Promise<void> {
    const options = {
      signal,
      onConnection: (state: 'lost' | 'open', error?: unknown) => this.remarkOn(state, error),
    };
    for await (const event of this.client.follow.run({ run_id: runId }, options)) {
      await this.show(runId, event, signal);
    }
    if (signal.aborted) throw signal.reason;
    await this.end(runId);
  }

  private async show(runId: string, event: Followed<RunEvent>, signal: AbortSignal): Promise<void> {
    if (this.output.options.json) this.output.item(event, () => []);
    switch (event.event) {
      case 'run.message.created':
        return this.showMessages(runId);
      case 'run.tool_call.completed': {
        const { name, ok, duration_ms: ms } = event.data;
        return this.remark(`${oneLine(name)} ${ok ? 'done' : 'failed'} in ${ms} ms`);
      }
      case 'run.file.created':
        return this.remark(`file ${oneLine(event.data.path)}, ${event.data.size_bytes} bytes`);
      case 'human_request.created':
        return this.ask(runId, event.data.request_id, signal);
      default:
        return undefined;
    }
  }

  private async showMessages(runId: string): Promise<void> {
    if (this.output.options.json) return;
    const rows = this.client.each.listRunMessages({ run_id: runId, offset: this.shown, limit: 50 });
    for (const message of await rowsOf(rows, Infinity)) {
      this.shown += 1;
      this.output.item(message, () => messageLines(message, this.output));
    }
  }

  /** The answer may have come from elsewhere by the time that it is given here. */
  private async ask(runId: string, requestId: string, signal: AbortSignal): Promise<void> {
    const { pending_human_request: request } = await this.client.getRun({ run_id: runId });
    if (request?.request_id !== requestId) return;
    if (!this.prompts) {
      for (const line of requestLines(request)) this.output.remark(line);
      this.output.remark(`Answer it with: aos runs answer ${runId}`);
      return;
    }
    const answer = await answerOf(await pendingRequestOf(this.client, runId), {}, this.prompts, signal);
    await this.client.respondToHumanRequest({ run_id: runId, request_id: requestId, ...answer });
  }

  private async end(runId: string): Promise<void> {
    const { run } = await this.client.getRun({ run_id: runId });
    this.output.item(run, () => (run.result === null ? [] : ['', safeText(run.result)]));
    if (run.status === 'completed') return;
    const reason = run.error ? `${run.error.code}: ${run.error.message}` : (run.stop_reason ?? '');
    throw new CommandError(
      `The run ${run.status === 'failed' ? 'failed' : `is ${run.status}`}. ${safeText(reason)}`.trim(),
    );
  }

  private remarkOn(state: 'lost' | 'open', error?: unknown): void {
    if (state === 'lost') this.remark(`Connection lost: ${oneLine((error as Error).message)} Trying again.`);
  }

  private remark(text: string): void {
    this.output.remark(this.output.style('dim', `  ${text}`));
  }
}
