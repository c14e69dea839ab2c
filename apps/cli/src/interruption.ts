/** Signals that end a command, with what the shell is told then: 128 and the number of the signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof exitCodes;

export const endingSignals = Object.keys(exitCodes) as EndingSignal[];

/** The user, or who looks after the process, has enough of the command. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitCode: (typeof exitCodes)[EndingSignal];

  constructor(signal: EndingSignal) {
    super('Interrupted.');
    this.exitCode = exitCodes[signal];
  }
}
