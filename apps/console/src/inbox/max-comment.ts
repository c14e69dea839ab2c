/** As long as the service takes one, in characters. */
export const maxComment = 20_000;
