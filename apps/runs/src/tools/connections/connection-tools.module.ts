import { Module } from '@nestjs/common';
import { SandboxesModule } from '../../files/sandboxes.module.js';
import { ConnectionAccess } from './connection-access.js';
import { RunConnections } from './run-connections.js';

/** What runs can do with the connections that their builds name. */
@Module({
  imports: [SandboxesModule],
  providers: [ConnectionAccess, RunConnections],
  exports: [RunConnections],
})
export class ConnectionToolsModule {}
