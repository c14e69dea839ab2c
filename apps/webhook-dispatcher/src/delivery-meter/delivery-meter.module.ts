import { Module } from '@nestjs/common';
import { DeliveryMeter } from './delivery-meter.js';

@Module({ providers: [DeliveryMeter] })
export class DeliveryMeterModule {}
