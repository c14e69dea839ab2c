export interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
}

export type Packages = Readonly<Record<string, Entry>>;

export function arePresent(wanted: Packages, present: Packages, purpose: 'start' | 'test'): boolean;

export function arePart(present: Packages, wanted: Packages): boolean;
