import { markdown } from '@codemirror/lang-markdown';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme, shadowOf } from './code-theme';

interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

/** A diff in one column, so that it fits a phone. */
export function DiffView({ before, after, label }: DiffViewProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = shadowOf(host.current!);
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          markdown(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 8 },
          }),
          codeTheme,
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, label]);
  return <div ref={host} className="code" />;
}
