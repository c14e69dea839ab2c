import { useEffect, useId } from 'react';

/** What a person has typed and the service does not have. */
export interface UnsavedWork {
  /** As in “You have not saved …”. */
  readonly what: string;
  /** Absent where there is nothing but to send it or to drop it. */
  readonly save?: (() => Promise<unknown>) | undefined;
}

/** Of the whole page: whoever leaves it leaves all of them. */
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
