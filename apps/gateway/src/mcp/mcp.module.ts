import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { AgentTools } from './agent-tools.js';
import { AskedClients } from './asked-clients.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { McpMeter } from './mcp-meter.js';
import { McpTools } from './mcp-tools.js';
import { RunTasks } from './run-tasks.js';

/** The hosted MCP server. */
@Module({
  imports: [AuthModule, OperationsModule, StreamsModule],
  providers: [McpEndpoint, McpMeter, McpTools, AgentTools, AskedClients, RunTasks],
  exports: [McpEndpoint],
})
export class McpModule {}
