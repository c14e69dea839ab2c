import type { Connection } from '@aos/client';
import { TextField } from '../ui/field';

interface SecretFieldsProps {
  readonly method: Connection['auth_method'];
  readonly header: string;
  readonly setHeader: (header: string) => void;
  readonly secret: string;
  readonly setSecret: (secret: string) => void;
}

/** The secret of a method that has one, and the name of its header. */
export function SecretFields({ method, header, setHeader, secret, setSecret }: SecretFieldsProps) {
  return (
    <>
      {method === 'headers' && (
        <TextField label="Header" className="input mono" required value={header} onChange={setHeader} />
      )}
      <TextField
        label={method === 'apikey' ? 'Key' : 'Its value'}
        className="input mono"
        type="password"
        autoComplete="off"
        required
        value={secret}
        onChange={setSecret}
      />
    </>
  );
}
