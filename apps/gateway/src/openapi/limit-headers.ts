const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } });

/** For `components.headers`. */
export const rateLimitHeaders = {
  'RateLimit-Limit': integerHeader('Requests that a window allows'),
  'RateLimit-Remaining': integerHeader('Requests left in the window'),
  'RateLimit-Reset': integerHeader('Seconds until the window is new'),
  'Retry-After': integerHeader('Seconds to wait before another try'),
};

export const limitHeaderRefs = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
