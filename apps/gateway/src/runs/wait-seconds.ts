import { z } from 'zod';

const maxSeconds = 60;

const bodySchema = z.object({ wait_seconds: z.number().min(0).max(maxSeconds) });

/** How long the client asks to wait. What is no such number was refused by the owner, or is none of its body. */
export function waitSeconds(body: unknown): number {
  return bodySchema.safeParse(body).data?.wait_seconds ?? 0;
}
