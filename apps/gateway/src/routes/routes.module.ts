import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CallsModule } from '../operations/operations.module.js';
import { FeedModule } from '../streams/teams/feed.module.js';
import { FilesModule } from '../files/files.module.js';
import { RequestRecords } from '../http/request-records.js';
import { McpModule } from '../mcp/mcp.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { RunsModule } from '../streams/runs/runs.module.js';
import { OperationRoutes } from './operation-routes.js';
import { OperatorRoutes } from './operator-routes.js';

/** The HTTP routes of the contract table, and those of the operator. */
@Module({
  imports: [AuthModule, CallsModule, FeedModule, FilesModule, McpModule, PagesModule, RunsModule],
  providers: [RequestRecords, OperationRoutes, OperatorRoutes],
})
export class OperationRoutesModule {}
