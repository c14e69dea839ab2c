import { AppError, grants, type Operation, type Principal } from '@aos/contracts';

/** Whether the credential may call the operation at all: its scope first, then the team named in the path. */
export function authorize(operation: Operation, principal: Principal, teamInPath: string | undefined): void {
  if (!grants(principal.scopes, operation.scope)) {
    throw new AppError('insufficient_scope', `This operation needs the scope ${operation.scope}.`);
  }
  if (operation.access === 'admin' && principal.kind !== 'admin') {
    throw new AppError('forbidden', 'This operation needs the platform admin key.');
  }
  if (operation.access === 'team' && principal.teamId === null) {
    throw new AppError(
      'forbidden',
      'The platform admin key belongs to no team; use a credential of the team.',
    );
  }
  if (teamInPath !== undefined && teamInPath.toLowerCase() !== principal.teamId) {
    throw new AppError('forbidden', 'The credential does not belong to this team.');
  }
}
