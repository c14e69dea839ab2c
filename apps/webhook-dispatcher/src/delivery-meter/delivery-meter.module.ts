import { Module } from '@nestjs/common';
import { DeliveryMeter } from './delivery-meter.js';

/** What billing is told of deliveries. */
@Module({ providers: [DeliveryMeter] })
export class DeliveryMeterModule {}
