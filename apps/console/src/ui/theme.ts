export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const storageName = 'aos-theme';

export function storedTheme(): Theme {
  const stored = localStorage.getItem(storageName);
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** Sets what the page looks like; `system` follows the machine. */
export function applyTheme(theme: Theme = storedTheme()): void {
  localStorage.setItem(storageName, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
