import * as Radix from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

interface MenuProps {
  readonly label: ReactNode;
  readonly items: readonly MenuItem[];
  /** While what was chosen is being done. */
  readonly disabled?: boolean;
}

/** Not modal: Radix would write a style sheet into the page, which its policy forbids. */
export function Menu({ label, items, disabled: isOff }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger className="button" disabled={isOff}>
        {label}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align="end" sideOffset={4}>
          {items.map(({ label: name, onSelect, danger, disabled }) => (
            <Radix.Item
              key={name}
              className={danger ? 'menu-item danger' : 'menu-item'}
              disabled={disabled}
              onSelect={onSelect}
            >
              {name}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
