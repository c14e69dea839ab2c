import { readFileSync } from 'node:fs';
import { secretsKeysFault } from '@aos/secrets';
import { z } from 'zod';

// The longest delay a Node timer takes; a longer one fires at once.
const maxTimerMs = 2 ** 31 - 1;

/** A whole number in decimal digits within the limits. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A TCP port to listen on. */
export const port = wholeNumber(1, 65_535);

/** A duration a timer can wait. */
export const milliseconds = wholeNumber(0, maxTimerMs);

/** A switch, spelled out so that `0`, `no` and typing errors are refused instead of read as true. */
export const booleanText = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true');

/** An absolute URL with one of the protocols, given without colon: `urlOf('https', 'http')`. */
export function urlOf(...protocols: [string, ...string[]]) {
  const starts = protocols.map((protocol) => `${protocol}://`);
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && starts.some((start) => text.startsWith(start)),
      `must be a URL that begins with ${starts.join(' or ')}`,
    );
}

/** The path of a file with certificates in PEM; it is read once, so that a wrong one is told at start. */
export const certificateFile = z.string().refine((path) => {
  try {
    return readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}, 'must be the path of a file with certificates (PEM)');

/** Texts separated by commas; blanks around them and empty ones are dropped. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** Keys that seal, left a string: whoever needs them reads them when it does. */
export const secretsKeys = z.string().superRefine((text, context) => {
  const message = secretsKeysFault(text);
  if (message) context.addIssue({ code: 'custom', message });
});
