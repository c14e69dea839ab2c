import type { GrantedScope, Operation, OperationResponse, StagedFile } from '@aos/contracts';
import type { ServiceClient } from '@aos/messaging';
import { uuidv7 } from 'uuidv7';

export interface ServiceCall {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  /** The file of the request, stored already. */
  readonly upload?: StagedFile;
  /** The Idempotency-Key. */
  readonly key?: string;
  /** Another team, or another credential, than the caller's own. */
  readonly teamId?: string;
  readonly credentialId?: string;
  /** All of them, unless given. */
  readonly scopes?: readonly GrantedScope[];
}

export interface ServiceAnswer<O extends Operation> {
  readonly status: number;
  readonly body: OperationResponse<O> & { readonly error?: string; readonly message?: string };
  readonly text: string;
  readonly replayed: boolean;
}

/** Calls operations for a team, over Redis as the gateway does it. */
export class TeamCaller {
  private readonly credentialId = uuidv7();

  constructor(
    private readonly services: ServiceClient,
    readonly teamId: string = uuidv7(),
  ) {}

  readonly call = async <O extends Operation>(
    operation: O,
    given: ServiceCall = {},
  ): Promise<ServiceAnswer<O>> => {
    const { query = {}, body, upload, key: idempotencyKey, scopes = ['*'] } = given;
    const { teamId = this.teamId, credentialId = this.credentialId } = given;
    const credential = { credentialId, scopes };
    const principal =
      operation.access === 'open'
        ? ({ ...credential, kind: 'anonymous', teamId: null } as const)
        : ({ ...credential, kind: 'api_key', teamId } as const);
    const params = { ...this.ownTeam(operation), ...given.params };
    const envelope = { principal, params, query, body, upload, idempotencyKey };
    const answer = await this.services.callOperation(operation, envelope);
    const parsed = (answer.body === '' ? undefined : JSON.parse(answer.body)) as never;
    return { status: answer.status, body: parsed, text: answer.body, replayed: answer.replayed ?? false };
  };

  /** As `call`, but anything else than success is an error. */
  readonly succeed = async <O extends Operation>(
    operation: O,
    given?: ServiceCall,
  ): Promise<OperationResponse<O>> => {
    const answer = await this.call(operation, given);
    if (answer.status === operation.status) return answer.body;
    throw new Error(`${operation.operationId} answered ${answer.status}: ${answer.text}`);
  };

  private ownTeam({ path }: Operation): Record<string, string> {
    return path.includes('{teamId}') ? { teamId: this.teamId } : {};
  }
}
