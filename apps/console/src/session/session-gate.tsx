import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { exchangeCode, forgetSession, signIn, SignInError, storedSession, type Session } from './session';
import { SessionContext } from './session-context';
import { codeIn } from './sign-in-code';
import { SignInPage } from './sign-in-page';

/** One exchange for one code, however often React mounts. */
let exchange: Promise<Session> | undefined;

/** Shows the console to those who are signed in, and the one field to the others. */
export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [session, setSession] = useState<Session | undefined>(storedSession);
  const [problem, setProblem] = useState<string>();
  const [isExchanging, setExchanging] = useState(() => codeIn(location.hash) !== undefined);

  useEffect(() => {
    const code = codeIn(location.hash);
    if (code !== undefined) {
      // Out of the address at once, so that it is in no history and on no screenshot.
      history.replaceState(null, '', location.pathname + location.search);
      exchange = exchangeCode(code).then(signIn);
    }
    exchange
      ?.then(setSession, (error: unknown) => {
        setProblem(
          error instanceof SignInError ? error.message : 'The service could not be reached. Try again.',
        );
      })
      .finally(() => setExchanging(false));
  }, []);

  const signOut = useCallback(() => {
    forgetSession();
    queries.clear();
    setSession(undefined);
  }, [queries]);
  const holder = useMemo(() => session && { ...session, signOut }, [session, signOut]);

  if (isExchanging) return <p className="empty">Signing in…</p>;
  if (!holder) return <SignInPage problem={problem} onSignedIn={setSession} />;
  return <SessionContext value={holder}>{children}</SessionContext>;
}
