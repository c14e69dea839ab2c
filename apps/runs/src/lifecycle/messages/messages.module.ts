import { Module } from '@nestjs/common';
import { DeletedAgentsModule } from '../deleted-agents/deleted-agents.module.js';
import { HumanRequestsModule } from '../human-requests/human-requests.module.js';
import { MessagesHandlers } from './messages.handlers.js';
import { MessagesRepository } from './messages.repository.js';
import { MessagesService } from './messages.service.js';

/** What is said in runs. */
@Module({
  imports: [HumanRequestsModule, DeletedAgentsModule],
  controllers: [MessagesHandlers],
  providers: [MessagesService, MessagesRepository],
})
export class MessagesModule {}
