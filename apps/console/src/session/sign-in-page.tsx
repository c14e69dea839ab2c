import { useLayoutEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Field } from '../ui/field';
import { signIn, SignInError, type Session } from './session';
import './sign-in.css';

interface SignInPageProps {
  readonly problem: string | undefined;
  readonly onSignedIn: (session: Session) => void;
}

export function SignInPage({ problem, onSignedIn }: SignInPageProps) {
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      onSignedIn(await signIn(key));
    } catch (error) {
      setRefusal(
        error instanceof SignInError ? error.message : 'The service could not be reached. Try again.',
      );
      setBusy(false);
    }
  };

  return (
    <main className="sign-in">
      <form className="card padded stack" onSubmit={(event) => void submit(event)}>
        <h1>Agent operations</h1>
        {(refusal ?? problem) && (
          <p className="banner bad" role="alert">
            {refusal ?? problem}
          </p>
        )}
        <Field
          label="API key"
          hint="npm start prints one, with a link that signs you in. It is exchanged for a session of this browser, and kept nowhere."
        >
          {(ids) => (
            <input
              {...ids}
              className="input mono"
              type="password"
              name="api-key"
              autoComplete="off"
              autoFocus
              spellCheck={false}
              placeholder="aos_…"
              required
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button primary" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}

/** Covers the pages of a session that has ended, and any dialog that is open on them. */
export function SignInCover({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      className="sign-in-cover"
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
    >
      {children}
    </dialog>
  );
}
