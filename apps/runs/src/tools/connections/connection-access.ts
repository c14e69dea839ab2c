import { retrying } from '@aos/agent-runtime';
import {
  AppError,
  type OpenConnection,
  openConnections,
  reportConnectionFailure,
  type Req,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { ConnectionProblem } from './call-failure.js';

type Failure = Req<typeof reportConnectionFailure>['failure'];

interface Owned {
  readonly teamId: string;
  readonly signal: AbortSignal;
}

/** Asks the connections service for what is needed to call servers. While it is away, it is asked again. */
@Injectable()
export class ConnectionAccess {
  constructor(private readonly services: ServiceClient) {}

  /** In the order of the ids. Throws `ConnectionProblem` for the first that cannot be used. */
  async open(ids: readonly string[], { teamId, signal }: Owned): Promise<OpenConnection[]> {
    return retrying(
      async () => {
        const request = { team_id: teamId, connection_ids: [...ids] };
        const { connections } = await this.services.call(openConnections, request, { signal });
        return connections.map((opened) => {
          if (opened.ok) return opened.connection;
          throw problemOf(opened.obstacle, opened.name === null ? opened.id : `"${opened.name}"`);
        });
      },
      { isTransient, signal },
    );
  }

  /** True if it is worth to open the connection again. */
  async report(
    { id, version }: Pick<OpenConnection, 'id' | 'version'>,
    failure: Failure,
    { teamId, signal }: Owned,
  ): Promise<boolean> {
    const request = { team_id: teamId, connection_id: id, version, failure };
    const { retry } = await retrying(() => this.services.call(reportConnectionFailure, request, { signal }), {
      isTransient,
      signal,
    });
    return retry;
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionProblem) return error.passing;
  return error instanceof AppError && error.code === 'unavailable';
}

function problemOf(
  obstacle: 'unknown' | 'pending' | 'broken' | 'unavailable',
  name: string,
): ConnectionProblem {
  switch (obstacle) {
    case 'unknown':
      return new ConnectionProblem(false, `The team has no connection ${name}.`);
    case 'pending':
      return new ConnectionProblem(false, `A person has yet to consent to the connection ${name}.`);
    case 'broken':
      return new ConnectionProblem(
        false,
        `The connection ${name} is broken: a person has to connect it again.`,
      );
    case 'unavailable':
      return new ConnectionProblem(true, `The provider of the connection ${name} does not answer.`);
  }
}
