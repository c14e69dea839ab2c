import { artifactStopped } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';

/** Tells the worker of an artifact to let go of it. One that does not hear it loses the lease a little later. */
@Injectable()
export class ArtifactStops {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly transactions: Transactions,
  ) {}

  /** Once the transaction has committed. */
  tell(artifactId: string): void {
    this.transactions.afterCommit(() => this.broadcasts.send(artifactStopped, [{ artifact_id: artifactId }]));
  }
}
