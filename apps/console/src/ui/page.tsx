import { useEffect, type ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, intro, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Agent operations`;
  }, [title]);
  return (
    <div className="page">
      <div className="head">
        <div>
          <h1>{title}</h1>
          {intro && <p className="intro">{intro}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
  flush = false,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** For what fills the card to its edges, such as a table. */
  flush?: boolean;
}) {
  return (
    <section className="card">
      {(title || actions) && (
        <header>
          {title && <h2>{title}</h2>}
          {actions && <div className="row">{actions}</div>}
        </header>
      )}
      {flush ? children : <div className="body">{children}</div>}
    </section>
  );
}

export function Figure({ name, value, hint }: { name: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <div>
      <div className="small quiet">{name}</div>
      <div className="value">{value}</div>
      {hint && <div className="small quiet">{hint}</div>}
    </div>
  );
}
