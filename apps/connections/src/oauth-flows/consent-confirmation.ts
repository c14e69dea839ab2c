import { hasSeveralTeams } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { hashToken, KeyRing } from '@aos/secrets';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import { ConnectionsRepository } from '../connections/connections.repository.js';
import type { BrowserAnswer, Redirected } from './browser-answer.js';
import { OAuthFlowsRepository } from './oauth-flows.repository.js';

/** A callback has to exchange its code as well. */
const teamsTimeoutMs = 2_000;

/**
 * Asks a person whose browser comes back whether the consent is for the team that began it, where there are several teams
 * or the operator wants that (ADR 22). The provider's page names this service, not the team: a person could be led to it
 * by a stranger. What the person sends is sealed with the code, which the one who began the flow never sees.
 */
@Injectable()
export class ConsentConfirmation {
  /** Kept once it is true. */
  private areSeveralTeams = false;

  constructor(
    private readonly flows: OAuthFlowsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly keyRing: KeyRing,
    private readonly services: ServiceClient,
    private readonly logger: Logger,
    @Inject(ConnectionSettings) private readonly settings: Pick<ConnectionsConfig, 'OAUTH_CONFIRM_CONSENT'>,
  ) {}

  /** The page that asks; undefined if there is nothing to ask, or it was answered. The flow stays as it is. */
  async questionFor({
    state,
    code,
    confirmed,
    redirect_uri,
  }: Redirected): Promise<BrowserAnswer | undefined> {
    if (code === undefined) return undefined;
    if (confirmed !== undefined && this.isAnswer(confirmed, state, code)) return undefined;
    if (!(await this.isWanted())) return undefined;
    const flow = await this.flows.find(state);
    // Which ends it: a person has nothing to decide about.
    if (flow?.redirectUri !== redirect_uri) return undefined;
    const connection = flow && (await this.connections.find(flow.teamId, flow.connectionId));
    if (!connection) return undefined;
    return {
      location: null,
      title: `Connect ${connection.name}?`,
      message:
        'Its agents will act with your access. Go on only if you began this yourself, or know who did.',
      confirm: { team_id: connection.team_id, token: this.keyRing.seal(hashToken(code), contextOf(state)) },
    };
  }

  /** Decided when the browser comes back: a second team may have been created since the flow began. */
  private async isWanted(): Promise<boolean> {
    return this.settings.OAUTH_CONFIRM_CONSENT ?? (this.areSeveralTeams || (await this.askForTeams()));
  }

  /** True without an answer, which is not kept: a page too many does no harm. */
  private async askForTeams(): Promise<boolean> {
    try {
      const { several } = await this.services.call(hasSeveralTeams, {}, { timeoutMs: teamsTimeoutMs });
      this.areSeveralTeams = several;
      return several;
    } catch (error) {
      this.logger.warn({ err: error }, 'counting teams failed; asking for confirmation');
      return true;
    }
  }

  private isAnswer(confirmed: string, state: string, code: string): boolean {
    try {
      return this.keyRing.open(confirmed, contextOf(state)) === hashToken(code);
    } catch {
      // Not sealed here, or for another flow: the person is asked.
      return false;
    }
  }
}

function contextOf(state: string): string {
  return `oauth-consent:${hashToken(state)}`;
}
