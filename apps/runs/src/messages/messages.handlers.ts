import {
  listRunMessages,
  postRunMessage,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/operations';
import { Controller, Inject } from '@nestjs/common';
import { toRunMessage } from './message.mapper.js';
import { MessagesService } from './messages.service.js';

@Controller()
export class MessagesHandlers {
  constructor(@Inject(MessagesService) private readonly messages: MessagesService) {}

  @Handles(listRunMessages)
  async listRunMessages({
    teamId,
    params,
    query,
  }: OperationRequest<typeof listRunMessages>): Promise<OperationResponse<typeof listRunMessages>> {
    return listAnswer('messages', await this.messages.list(teamId, params.run_id, query), toRunMessage);
  }

  @Handles(postRunMessage)
  async postRunMessage({
    teamId,
    params,
    body,
  }: OperationRequest<typeof postRunMessage>): Promise<OperationResponse<typeof postRunMessage>> {
    return { run_id: params.run_id, ...(await this.messages.post(teamId, params.run_id, body.message)) };
  }
}
