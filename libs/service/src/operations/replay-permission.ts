import { refuseMoreThanHeld, type Operation, type OperationAnswer, type Principal } from '@aos/contracts';

/** A replay needs what the request needed: an answer that is a credential is for a caller that could have made it. */
export function permitReplay(
  operation: Operation,
  principal: Principal,
  stored: OperationAnswer,
): OperationAnswer {
  if (operation.handsOut && stored.status === operation.status) {
    refuseMoreThanHeld(principal, operation.handsOut(operation.response.parse(JSON.parse(stored.body))));
  }
  return stored;
}
