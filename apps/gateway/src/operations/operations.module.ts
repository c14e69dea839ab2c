import { Module } from '@nestjs/common';
import { OperationCalls } from './operation-calls.js';

/** Calls of operations, for routes and for tools. */
@Module({ providers: [OperationCalls], exports: [OperationCalls] })
export class OperationsModule {}
