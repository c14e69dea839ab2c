import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { McpServersModule } from '../mcp-servers/mcp-servers.module.js';
import { OAuthClientModule } from '../oauth-client/oauth-client.module.js';
import { ConsentConfirmation } from './consent-confirmation.js';
import { FlowEnds } from './flow-ends.js';
import { FlowDrafts } from './flow-drafts.js';
import { FlowStarts } from './flow-starts.js';
import { FlowSweep } from './flow-sweep.js';
import { McpConsents } from './mcp-consents.js';
import { NativeConsents } from './native-consents.js';
import { OAuthFlowsHandlers } from './oauth-flows.handlers.js';
import { OAuthFlowsRepository } from './oauth-flows.repository.js';

/** Consents: asked for, given, and brought home by the browser. */
@Module({
  imports: [ConnectionsModule, McpServersModule, OAuthClientModule],
  controllers: [OAuthFlowsHandlers],
  providers: [
    NativeConsents,
    McpConsents,
    FlowDrafts,
    FlowStarts,
    FlowEnds,
    FlowSweep,
    ConsentConfirmation,
    OAuthFlowsRepository,
  ],
})
export class OAuthFlowsModule {}
