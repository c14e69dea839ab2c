import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme, shadowOf } from './code-theme';

interface CodeEditorProps {
  /** As it is at the beginning; another text needs another `key`. */
  readonly value: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

/** For operating procedures: Markdown. Tab leaves it, so that a keyboard is not caught. */
export function CodeEditor({ value, label, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const first = useRef(value);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  }, [onChange]);
  useEffect(() => {
    const root = shadowOf(host.current!);
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          markdown(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tell.current(update.state.doc.toString());
          }),
          codeTheme,
        ],
      }),
    });
    return () => view.destroy();
  }, [label]);
  return <div ref={host} className="code" />;
}
