import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { bytes, counted } from '../ui/format';
import { columnMeaning, previewCsv, type CsvPreview } from './csv-preview';

/** Enough for a header and some rows. */
const previewBytes = 64 * 1024;

/** Shows what will come of a file before it is sent. */
export function ImportDialog({ queueId, onClose }: { queueId: string; onClose: () => void }) {
  const client = useClient();
  const [file, setFile] = useState<File>();
  const [preview, setPreview] = useState<CsvPreview>();
  const send = useAction(
    (chosen: File) => client.importCases({ queue_id: queueId, body: chosen, content_type: 'text/csv' }),
    { stale: [['queue', queueId], ['queues']] },
  );
  const choose = async (chosen: File | undefined) => {
    send.reset();
    setFile(chosen);
    setPreview(chosen && previewCsv(await chosen.slice(0, previewBytes).text()));
  };
  return (
    <Dialog title="Import cases" large onClose={onClose}>
      <Field
        label="CSV file"
        hint="Its first line names the columns: title, priority, postponed_to, label:<key>. All others become the data of the case."
      >
        {(ids) => (
          <input
            {...ids}
            className="input"
            type="file"
            accept=".csv,text/csv"
            disabled={send.isPending}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        )}
      </Field>
      {preview?.problem && (
        <p className="banner bad" role="alert">
          {preview.problem}
        </p>
      )}
      {preview && preview.header.length > 0 && <PreviewTable preview={preview} />}
      {send.data && (
        <div className={`banner ${send.data.rejected > 0 ? 'warn' : 'good'}`} role="status">
          <div>
            {counted(send.data.accepted, 'case')} imported
            {send.data.rejected > 0 && `, ${counted(send.data.rejected, 'row')} left out`}.
            <ul>
              {send.data.errors.slice(0, 10).map(({ line, message }) => (
                <li key={line}>
                  Line {line}: {message}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      <div className="foot">
        <button type="button" className="button" onClick={onClose}>
          {send.data ? 'Close' : 'Cancel'}
        </button>
        {!send.data && (
          <button
            type="button"
            className="button primary"
            disabled={!file || preview?.problem !== undefined || send.isPending}
            onClick={() => file && send.mutate(file)}
          >
            {send.isPending ? 'Importing…' : file ? `Import ${bytes(file.size)}` : 'Import'}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function PreviewTable({ preview: { header, rows } }: { preview: CsvPreview }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Preview">
      <table className="table">
        <caption className="small quiet">The first {counted(rows.length, 'row')}</caption>
        <thead>
          <tr>
            {header.map((name, index) => (
              <th key={index}>
                {name}
                <div className="small quiet">{columnMeaning(name)}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {header.map((_, position) => (
                <td key={position}>{row[position] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
