import { useEffect, useId } from 'react';

/** Unsaved input. */
export interface UnsavedWork {
  /** As in “You have not saved …”. */
  readonly what: string;
  /** Absent where there is nothing but to send it or to drop it. */
  readonly save?: (() => Promise<unknown>) | undefined;
}

/** Covers the whole page: leaving it discards all of them. */
const works = new Map<string, UnsavedWork>();

export function unsavedWork(): readonly UnsavedWork[] {
  return [...works.values()];
}

/** While something is unsaved, nobody leaves the page without being asked. */
export function useUnsaved(isUnsaved: boolean, { what, save }: UnsavedWork): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return undefined;
    works.set(id, { what, save });
    return () => void works.delete(id);
  }, [id, isUnsaved, what, save]);
}
