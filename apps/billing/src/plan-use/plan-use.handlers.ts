import { getBillingEntitlements, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { PlanUseService } from './plan-use.service.js';

@Controller()
export class PlanUseHandlers {
  constructor(private readonly use: PlanUseService) {}

  @Handles(getBillingEntitlements)
  getBillingEntitlements({ teamId }: Req<typeof getBillingEntitlements>) {
    return this.use.of(teamId);
  }
}
