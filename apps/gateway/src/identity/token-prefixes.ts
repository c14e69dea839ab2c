/** How a credential tells what it is. */
export const apiKeyPrefix = 'aos_';
export const clientSecretPrefix = 'aos_secret_';
export const sessionTokenPrefix = 'aos_session_';
