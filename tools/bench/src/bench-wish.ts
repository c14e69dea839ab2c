/** The words that are no names of parts. */
export const wantsPeers = '--peers';
export const wantsQuick = '--quick';
export const wantsProfiles = '--profile';

export interface BenchWish {
  /** In the order in which they are measured; all if none is named. */
  readonly parts: readonly string[];
  /** The product beside its peers, and nothing else. */
  readonly peers: boolean;
  readonly quick: boolean;
}

/** What `npm run bench -- …` asks for, or why it cannot be done. */
export function benchWish(words: readonly string[], known: readonly string[]): BenchWish | string {
  const flags = [wantsPeers, wantsQuick, wantsProfiles];
  const named = words.filter((word) => !flags.includes(word));
  const unknown = named.filter((name) => !known.includes(name));
  const peers = words.includes(wantsPeers);
  const quick = words.includes(wantsQuick);
  if (unknown.length > 0) return `There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`;
  if (peers && named.length > 0) return `${wantsPeers} is measured alone, without ${named.join(', ')}.`;
  if (quick && !peers) return `${wantsQuick} is for ${wantsPeers} only.`;
  return { parts: known.filter((name) => named.length === 0 || named.includes(name)), peers, quick };
}
