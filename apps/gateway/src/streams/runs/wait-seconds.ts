const maxSeconds = 60;

/** How long the client asks to wait. What is no such number was refused by the owner, or is none of its body. */
export function waitSeconds(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0;
  const { wait_seconds: seconds } = body as { wait_seconds?: unknown };
  return typeof seconds === 'number' && seconds >= 0 && seconds <= maxSeconds ? seconds : 0;
}
