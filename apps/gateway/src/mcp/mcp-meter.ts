import { BackgroundLoops } from '@aos/background';
import { mcpCallsCounted } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Shutdown } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { GatewaySettings, type GatewayConfig } from '../gateway.config.js';

/**
 * Counts calls of the MCP endpoint, and tells billing now and then: a row for each would cost more than many a call. What
 * was counted since the last time is lost with a process that is killed.
 */
@Injectable()
export class McpMeter {
  private counted = new Map<string, number>();

  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    loops: BackgroundLoops,
    shutdown: Shutdown,
    @Inject(GatewaySettings) config: Pick<GatewayConfig, 'USAGE_REPORT_EVERY_MS'>,
  ) {
    loops.add({
      name: 'the report of MCP calls',
      idleMs: config.USAGE_REPORT_EVERY_MS,
      work: async () => {
        await this.report();
        return false;
      },
    });
    shutdown.add('drain', 'the count of MCP calls', () => this.report());
  }

  count(teamId: string): void {
    this.counted.set(teamId, (this.counted.get(teamId) ?? 0) + 1);
  }

  private async report(): Promise<void> {
    const counted = this.counted;
    if (counted.size === 0) return;
    this.counted = new Map();
    try {
      await this.transactions.run(() =>
        this.outbox.record(
          ...[...counted].map(([teamId, calls]) =>
            newEvent({ event: mcpCallsCounted, teamId, data: { calls } }),
          ),
        ),
      );
    } catch (error) {
      for (const [teamId, calls] of counted)
        this.counted.set(teamId, (this.counted.get(teamId) ?? 0) + calls);
      throw error;
    }
  }
}
