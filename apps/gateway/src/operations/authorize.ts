import { AppError, grants, type Operation, type Principal } from '@aos/contracts';

/** Whether the credential may call the operation at all: its scope first, then the team named in the path. */
export function authorize(operation: Operation, principal: Principal, teamInPath: string | undefined): void {
  const refusal = refusalOf(operation, principal, teamInPath);
  if (refusal) throw refusal;
}

/** Why the credential may not call the operation, if it may not. */
export function refusalOf(
  operation: Operation,
  principal: Principal,
  teamInPath: string | undefined,
): AppError | undefined {
  if (!grants(principal.scopes, operation.scope)) {
    return new AppError('insufficient_scope', `This operation needs the scope ${operation.scope}.`);
  }
  if (operation.access === 'admin' && principal.kind !== 'admin') {
    return new AppError('forbidden', 'This operation needs the platform admin key.');
  }
  if (operation.access === 'team' && principal.teamId === null) {
    return new AppError(
      'forbidden',
      'The platform admin key belongs to no team; use a credential of the team.',
    );
  }
  if (operation.access === 'admin') return;
  if (teamInPath !== undefined && teamInPath.toLowerCase() !== principal.teamId) {
    return new AppError('forbidden', 'The credential does not belong to this team.');
  }
  return undefined;
}
