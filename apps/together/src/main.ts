import 'reflect-metadata';
import { service as agentsAndRevisions } from '@aos/agents-and-revisions';
import { service as billing } from '@aos/billing';
import { service as connections } from '@aos/connections';
import { gatewayService, startGateway } from '@aos/gateway';
import { service as runs } from '@aos/runs';
import { hosted, runTogether } from '@aos/service';
import { service as webhookDispatcher } from '@aos/webhook-dispatcher';

void runTogether(
  [
    hosted(agentsAndRevisions),
    hosted(runs),
    hosted(connections),
    hosted(webhookDispatcher),
    hosted(billing),
    hosted(gatewayService(), startGateway),
  ],
  process,
);
