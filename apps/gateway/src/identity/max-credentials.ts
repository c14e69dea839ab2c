/** Limits the API keys of a team, and its OAuth clients. */
export const maxCredentials = 500;
