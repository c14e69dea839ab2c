const charactersPerToken = 4;

/** No provider counts for the built-in model. One token for four characters, so that budgets can be tried offline. */
export function estimatedTokens(...texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return Math.ceil(characters / charactersPerToken);
}
