/** How a bearer credential tells what it is. */
export const apiKeyPrefix = 'aos_';
export const clientSecretPrefix = 'aos_secret_';
