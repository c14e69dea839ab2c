import { OperationPipeline, RpcServer } from '@aos/messaging';
import { IdempotencyRepository, Transactions } from '@aos/persistence';
import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { TransactionalPipeline } from './transactional-pipeline.js';

/** How a service performs its operations. */
@Global()
@Module({
  providers: [
    {
      provide: OperationPipeline,
      inject: [Transactions, IdempotencyRepository],
      useFactory: (transactions: Transactions, records: IdempotencyRepository) =>
        new TransactionalPipeline(transactions, records),
    },
  ],
  exports: [OperationPipeline],
})
export class OperationsModule implements OnModuleInit {
  constructor(
    @Inject(OperationPipeline) private readonly pipeline: OperationPipeline,
    @Inject(RpcServer) private readonly rpcServer: RpcServer,
  ) {}

  onModuleInit(): void {
    this.rpcServer.usePipeline(this.pipeline);
  }
}
