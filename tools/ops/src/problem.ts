/** Something that the operator has to set right; it is printed without a stack. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    message: string,
    /** As `sysexits.h` has them: 64 for a wrong call, 78 for a wrong setting. */
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
