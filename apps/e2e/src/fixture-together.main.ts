import 'reflect-metadata';
import { service as agentsAndRevisions } from '@aos/agents-and-revisions';
import { service as billing } from '@aos/billing';
import { service as connections } from '@aos/connections';
import { gatewayService, startGateway } from '@aos/gateway';
import { service as runs } from '@aos/runs';
import { hosted, runTogether } from '@aos/service';
import { fixtureTable } from '@aos/testing/fixture';
import { fixtureConsumerService, fixtureService } from '@aos/testing/fixture-services';
import { service as webhookDispatcher } from '@aos/webhook-dispatcher';

// The product in one process, with the fixture's services and operations.
void runTogether(
  [
    hosted(agentsAndRevisions),
    hosted(runs),
    hosted(connections),
    hosted(webhookDispatcher),
    hosted(billing),
    hosted(fixtureService),
    hosted(fixtureConsumerService),
    hosted(gatewayService(fixtureTable), startGateway),
  ],
  process,
);
