import { BackgroundLoops } from '@aos/background';
import { Injectable } from '@nestjs/common';
import { ConnectionsRepository } from '../connections/connections.repository.js';
import { OAuthFlowsRepository } from './oauth-flows.repository.js';

const everyMs = 60_000;

/** Removes consents that were asked for and never given. */
@Injectable()
export class FlowSweep {
  constructor(
    private readonly flows: OAuthFlowsRepository,
    private readonly connections: ConnectionsRepository,
    loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the removal of consents that were never given',
      idleMs: everyMs,
      work: () => this.sweep(),
    });
  }

  async sweep(): Promise<false> {
    await this.flows.sweep();
    await this.connections.sweepDrafts();
    return false;
  }
}
