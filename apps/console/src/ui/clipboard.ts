/**
 * Puts a text into the clipboard, and says whether that worked. Browsers keep `navigator.clipboard` from pages that came
 * without TLS, but let them copy what is selected. The field for it lies beside the button that was pressed: outside of a
 * dialog that is open nothing can be selected.
 */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, beside);
  }
}

function copySelected(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.className = 'unseen';
  field.readOnly = true;
  field.value = text;
  beside.after(field);
  field.select();
  try {
    // The only way without TLS, though browsers call it old.
    return document.execCommand('copy');
  } finally {
    field.remove();
    beside.focus();
  }
}
