import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

export interface Tab {
  /** Part of an id, so without blanks. */
  readonly name: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly shown: string;
  readonly onShow: (name: string) => void;
}

export function Tabs({ label, tabs, shown, onShow }: TabsProps) {
  return (
    <Radix.Root value={shown} onValueChange={onShow}>
      <Radix.List className="tabs-list" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.name} value={tab.name}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.name} value={tab.name} className="tabs-panel">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
