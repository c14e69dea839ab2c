import type { CaseLabel as Label } from '@aos/client';

export function CaseLabel({
  label: { key, value, color_hue: hue },
}: {
  label: Pick<Label, 'key' | 'value' | 'color_hue'>;
}) {
  return (
    <span className="case-label" style={{ '--hue': hue } as React.CSSProperties}>
      {key}: {value}
    </span>
  );
}
