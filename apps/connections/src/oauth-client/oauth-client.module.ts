import { Module } from '@nestjs/common';
import { OAuthCalls } from './oauth-calls.js';
import { ProviderEndpoints } from './provider-endpoints.js';

/** The client's side of OAuth. */
@Module({ providers: [OAuthCalls, ProviderEndpoints], exports: [OAuthCalls, ProviderEndpoints] })
export class OAuthClientModule {}
