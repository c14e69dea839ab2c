import { AppError } from '@aos/contracts';
import { Places } from '../streams/places.js';

/** At one gateway; whoever works on them takes fewer of a team at once. */
const ofTeam = 8;
const ofAll = 64;
const askAgainSeconds = 5;
const everybody = '';

/** The imports whose bytes come in, or which are worked on: each holds a connection, and a part of its bytes. */
export class UploadLimiter {
  private readonly byTeam = new Places(ofTeam);
  private readonly all = new Places(ofAll);

  /** A place for one more, to be asked for before its bytes are read; gives it back. */
  take(teamId: string): () => void {
    if (!this.byTeam.take(teamId)) {
      throw new AppError('rate_limited', `The team has ${ofTeam} imports under way at once.`, retry);
    }
    if (!this.all.take(everybody)) {
      this.byTeam.giveBack(teamId);
      throw new AppError('unavailable', 'Too many imports are under way at once.', retry);
    }
    return () => {
      this.all.giveBack(everybody);
      this.byTeam.giveBack(teamId);
    };
  }
}

const retry = { retryAfterSeconds: askAgainSeconds };
