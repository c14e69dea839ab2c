/** Prefixes that show what kind of credential a token is. */
export const apiKeyPrefix = 'aos_';
export const clientSecretPrefix = 'aos_secret_';
export const sessionTokenPrefix = 'aos_session_';

/** Limits the API keys of a team, and its OAuth clients. */
export const maxCredentials = 500;
