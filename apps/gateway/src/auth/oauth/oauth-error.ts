/** An error in the form of RFC 6749, 5.2. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code:
      | 'invalid_request'
      | 'invalid_client'
      | 'invalid_scope'
      | 'unsupported_grant_type'
      | 'unsupported_response_type',
    message: string,
    /** Whether the client tried HTTP Basic, and so is told to. */
    readonly challenge = false,
  ) {
    super(message);
  }

  get status(): number {
    return this.code === 'invalid_client' ? 401 : 400;
  }
}
