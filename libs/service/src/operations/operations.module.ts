import { OperationPipeline } from '@aos/messaging';
import { IdempotencyRepository, Transactions } from '@aos/persistence';
import { Global, Module } from '@nestjs/common';
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
export class OperationsModule {}
