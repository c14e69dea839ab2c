import { lazy, Suspense, type ComponentProps } from 'react';
import { Loading } from './states';

/** The editor is large and few pages need it, so that it comes when it is needed. */
const LazyEditor = lazy(async () => ({ default: (await import('./code-editor')).CodeEditor }));
const LazyDiff = lazy(async () => ({ default: (await import('./diff-view')).DiffView }));

export function Code(props: ComponentProps<typeof LazyEditor>) {
  return (
    <Suspense fallback={<Loading lines={5} />}>
      <LazyEditor {...props} />
    </Suspense>
  );
}

export function Diff(props: ComponentProps<typeof LazyDiff>) {
  return (
    <Suspense fallback={<Loading lines={5} />}>
      <LazyDiff {...props} />
    </Suspense>
  );
}
