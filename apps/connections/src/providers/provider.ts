/** How a client proves who it is at the token endpoint. */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** A service that agents can be given native access to: where a person consents, and where its API is. */
export interface Provider {
  /** As it stands in paths. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Compared with what it says of itself (RFC 9207); with it alone the endpoints are discovered. */
  readonly issuer?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly scopes: readonly string[];
  /** A blank, but for those who never read RFC 6749. */
  readonly scopeSeparator?: string;
  readonly authorizationParams?: Readonly<Record<string, string>>;
  readonly clientAuth?: ClientAuthMethod;
  readonly apiBaseUrl: string;
  /** A field of the token answer that holds the address of the API, for those who give each customer a host. */
  readonly apiBaseUrlField?: string;
  /** Hosts that a token may be sent to: a name, or `*.` and a name. */
  readonly apiHosts: readonly string[];
  /** Sent with each call of the API. */
  readonly apiHeaders?: Readonly<Record<string, string>>;
}

export interface ConfiguredClient {
  readonly client_id: string;
  readonly auth: ClientAuthMethod;
  readonly secret?: string;
}

/** A provider with the credentials of this installation, if it has been given some. */
export interface ConfiguredProvider extends Provider {
  readonly clientId?: string;
  readonly clientSecret?: string;
}
