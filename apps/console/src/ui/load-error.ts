/** How Chromium, Firefox, Safari and Vite say that a script or a style of a page could not be loaded. */
const sayings = [
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'Unable to preload CSS',
];

/**
 * Whether a part of the console itself is lacking: after an update the parts of the version before are gone. A browser does
 * not ask again for a script that failed, so only a reload helps.
 */
export function isLoadError(error: unknown): boolean {
  return error instanceof Error && sayings.some((saying) => error.message.includes(saying));
}
