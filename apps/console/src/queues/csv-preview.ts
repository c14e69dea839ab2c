/** The first rows of a CSV file as the service will read it (RFC 4180), so that a person sees what will come of it. */
export interface CsvPreview {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Faults of the whole file; the service reports faults of rows. */
  readonly problem?: string;
}

export function previewCsv(text: string, maxRows = 8): CsvPreview {
  const [header = [], ...rows] = records(text.replace(/^\uFEFF/, ''), maxRows + 1);
  if (header.length === 0 || (header.length === 1 && header[0] === '')) {
    return { header: [], rows: [], problem: 'The file is empty.' };
  }
  const problem = header.includes('title') ? undefined : 'It has no column “title”, which each case needs.';
  return { header, rows, ...(problem ? { problem } : {}) };
}

export function columnMeaning(name: string): string {
  if (name === 'title') return 'Title';
  if (name === 'priority') return 'Priority';
  if (name === 'postponed_to') return 'Not before';
  if (name.startsWith('label:')) return `Label ${name.slice('label:'.length)}`;
  return 'Data';
}

function records(text: string, most: number): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let index = 0; index < text.length && found.length < most; index += 1) {
    const char = text[index]!;
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text[index + 1] === '"') {
        field += '"';
        index += 1;
      } else isQuoted = false;
    } else if (char === '"' && field === '') isQuoted = true;
    else if (char === ',') {
      record.push(field);
      field = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[index + 1] === '\n') index += 1;
      if (record.length > 0 || field !== '') found.push([...record, field]);
      record = [];
      field = '';
    } else field += char;
  }
  if (found.length < most && (record.length > 0 || field !== '')) found.push([...record, field]);
  return found;
}
