import { getBudget, putBudget, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { BudgetsService } from './budgets.service.js';

@Controller()
export class BudgetsHandlers {
  constructor(private readonly budgets: BudgetsService) {}

  @Handles(getBudget)
  getBudget({ teamId }: Req<typeof getBudget>) {
    return this.budgets.get(teamId);
  }

  @Handles(putBudget)
  putBudget({ teamId, body }: Req<typeof putBudget>) {
    return this.budgets.put(teamId, body);
  }
}
