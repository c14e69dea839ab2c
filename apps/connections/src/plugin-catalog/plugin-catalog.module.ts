import { Module } from '@nestjs/common';
import { PluginCatalogHandlers } from './plugin-catalog.handlers.js';

@Module({ controllers: [PluginCatalogHandlers] })
export class PluginCatalogModule {}
