/** A form whose fields a person does not see. */
export interface PageForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly button: string;
}

export interface Page {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly form?: PageForm;
}

/** No script, no frame around it; its form goes nowhere else. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

export function htmlOf({ title, paragraphs, form }: Page): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<body style="font: 16px/1.5 system-ui; max-width: 32rem; margin: 20vh auto; padding: 0 1rem">
<h1 style="font-size: 1.4rem">${escape(title)}</h1>
${paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n')}
${form ? formOf(form) : ''}</html>
`;
}

function formOf({ fields, button }: PageForm): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  return `<form method="get">${inputs.join('')}<button style="font: inherit">${escape(button)}</button></form>\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
