const maxLength = 120;

/** The first line of the message that has something in it, or the agent's name. */
export function titleOf(message: string | null, agentName: string): string {
  const line = message
    ?.split('\n')
    .find((text) => text.trim() !== '')
    ?.trim();
  if (line === undefined) return agentName;
  const letters = [...line];
  return letters.length <= maxLength ? line : `${letters.slice(0, maxLength - 1).join('')}…`;
}
