import { Module } from '@nestjs/common';
import { OperationCalls } from './operation-calls.js';

/** The way of an operation from the gateway to its owner. */
@Module({ providers: [OperationCalls], exports: [OperationCalls] })
export class CallsModule {}
