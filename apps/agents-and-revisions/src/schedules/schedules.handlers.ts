import { createSchedule, deleteSchedule, listAgentSchedules, updateSchedule, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { toScheduleWithUpcoming } from './schedule.mapper.js';
import { SchedulesService, withFrequency } from './schedules.service.js';

@Controller()
export class SchedulesHandlers {
  constructor(private readonly schedules: SchedulesService) {}

  @Handles(listAgentSchedules)
  async listAgentSchedules({ teamId, params, query }: Req<typeof listAgentSchedules>) {
    return listAnswer(
      'schedules',
      await this.schedules.list(teamId, params.agent_id, query),
      toScheduleWithUpcoming,
    );
  }

  @Handles(createSchedule)
  async createSchedule({ teamId, params, body }: Req<typeof createSchedule>) {
    const { frequency = 'daily', cron = null, message = null, ...rest } = withFrequency(body);
    const wanted = { ...rest, frequency, cron, message };
    return toScheduleWithUpcoming(await this.schedules.create(teamId, params.agent_id, wanted));
  }

  @Handles(updateSchedule)
  async updateSchedule({ teamId, params, body }: Req<typeof updateSchedule>) {
    const changes = withFrequency(body);
    return toScheduleWithUpcoming(
      await this.schedules.update(teamId, params.agent_id, params.schedule_id, changes),
    );
  }

  @Handles(deleteSchedule)
  async deleteSchedule({ teamId, params }: Req<typeof deleteSchedule>) {
    await this.schedules.delete(teamId, params.agent_id, params.schedule_id);
    return { success: true as const };
  }
}
