import { z } from 'zod';
import { parseAllowedRanges } from './rules/address-rules.js';

/** The settings of every service that judges or calls addresses of teams; its config is extended with them. */
export const egressSettings = {
  /** Ranges that are open although they are not of the public internet; for `parseAllowedRanges`. */
  EGRESS_ALLOW_CIDRS: z
    .string()
    .refine(areRanges, 'must be address ranges separated by commas, such as 10.0.0.0/8,fd00::/8')
    .default(''),
};

function areRanges(text: string): boolean {
  try {
    parseAllowedRanges(text);
    return true;
  } catch {
    return false;
  }
}
