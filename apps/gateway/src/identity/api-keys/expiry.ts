import { AppError } from '@aos/contracts';

/** Past it a timestamp needs more than four digits for the year, and no longer has the form of the contract. */
const lastYear = 9999;

/** When a key shall end; undefined if nothing is asked for. */
export function expiryOf(wanted: string | null | undefined, now: Date): Date | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  const expiresAt = new Date(wanted);
  if (expiresAt <= now) throw new AppError('invalid_request', 'expires_at: must be in the future');
  if (expiresAt.getUTCFullYear() > lastYear) {
    throw new AppError('invalid_request', `expires_at: must not be after the year ${lastYear}`);
  }
  return expiresAt;
}
