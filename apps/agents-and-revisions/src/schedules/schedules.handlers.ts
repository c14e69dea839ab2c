import {
  createSchedule,
  deleteSchedule,
  listAgentSchedules,
  updateSchedule,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/operations';
import { Controller, Inject } from '@nestjs/common';
import { toSchedule } from './schedule.mapper.js';
import { SchedulesService } from './schedules.service.js';

@Controller()
export class SchedulesHandlers {
  constructor(@Inject(SchedulesService) private readonly schedules: SchedulesService) {}

  @Handles(listAgentSchedules)
  async listAgentSchedules({
    teamId,
    params,
    query,
  }: OperationRequest<typeof listAgentSchedules>): Promise<OperationResponse<typeof listAgentSchedules>> {
    return listAnswer('schedules', await this.schedules.list(teamId, params.agent_id, query), toSchedule);
  }

  @Handles(createSchedule)
  async createSchedule({
    teamId,
    params,
    body,
  }: OperationRequest<typeof createSchedule>): Promise<OperationResponse<typeof createSchedule>> {
    const { cron = null, message = null, ...rest } = body;
    return toSchedule(await this.schedules.create(teamId, params.agent_id, { ...rest, cron, message }));
  }

  @Handles(updateSchedule)
  async updateSchedule({
    teamId,
    params,
    body,
  }: OperationRequest<typeof updateSchedule>): Promise<OperationResponse<typeof updateSchedule>> {
    return toSchedule(await this.schedules.update(teamId, params.agent_id, params.schedule_id, body));
  }

  @Handles(deleteSchedule)
  async deleteSchedule({
    teamId,
    params,
  }: OperationRequest<typeof deleteSchedule>): Promise<OperationResponse<typeof deleteSchedule>> {
    await this.schedules.delete(teamId, params.agent_id, params.schedule_id);
    return { success: true };
  }
}
