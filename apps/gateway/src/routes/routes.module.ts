import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FilesModule } from '../files/files.module.js';
import { RequestRecords } from '../http/request-records.js';
import { IdentityModule } from '../identity/identity.module.js';
import { McpModule } from '../mcp/mcp.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { BrowserPages } from '../pages/browser-pages.js';
import { StreamsModule } from '../streams/streams.module.js';
import { OperationRoutes } from './operation-routes.js';
import { OperatorRoutes } from './operator-routes.js';

/** The HTTP routes of the contract table, and those of the operator. */
@Module({
  imports: [AuthModule, FilesModule, IdentityModule, McpModule, OperationsModule, StreamsModule],
  providers: [BrowserPages, RequestRecords, OperationRoutes, OperatorRoutes],
})
export class RoutesModule {}
