const forms = ['together', 'split'] as const;
type ProductForm = (typeof forms)[number];

/** `E2E_FORM`: all services in one process, or a process for each; where it is not set, tests choose. */
export const wantedForm = read(process.env['E2E_FORM'] || undefined);

function read(given: string | undefined): ProductForm | undefined {
  const form = forms.find((name) => name === given);
  if (given !== undefined && !form) throw new Error(`E2E_FORM must be ${forms.join(' or ')}, not "${given}"`);
  return form;
}
