import { serviceNames } from '@aos/contracts';

/** `E2E_IMAGES=aos` has the services of the product run from the images `aos/<service>`. */
const prefix = process.env['E2E_IMAGES'] || undefined;

export const usesImages = prefix !== undefined;

/** The image from which a service is started; none of one that only tests have. */
export function imageOf(service: string): string | undefined {
  return usesImages && serviceNames.some((name) => name === service) ? `${prefix}/${service}` : undefined;
}
