import { listRunMessages, postRunMessage, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { MessagesService, toRunMessage } from './messages.service.js';

@Controller()
export class MessagesHandlers {
  constructor(private readonly messages: MessagesService) {}

  @Handles(listRunMessages)
  async listRunMessages({ teamId, params, query }: Req<typeof listRunMessages>) {
    return listAnswer('messages', await this.messages.list(teamId, params.run_id, query), toRunMessage);
  }

  @Handles(postRunMessage)
  async postRunMessage({ teamId, params, body }: Req<typeof postRunMessage>) {
    return { run_id: params.run_id, ...(await this.messages.post(teamId, params.run_id, body.message)) };
  }
}
