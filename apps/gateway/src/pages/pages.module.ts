import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { BrowserPages } from './browser-pages.js';

/** What people see of the gateway in a browser, beside the documentation. */
@Module({ imports: [IdentityModule], providers: [BrowserPages], exports: [BrowserPages] })
export class PagesModule {}
