import type { Socket } from 'node:net';
import pg from 'pg';
import { explainOff, type VendorFeature } from './versions.js';

/** The messages of a query are made by pg-protocol, its columns and its socket are private fields of pg. */
export const pgFeature: VendorFeature = {
  name: 'Reading the columns of a prepared statement once, and sending the statements of one turn in one write',
  writtenFor: { pg: '8.23.1', 'pg-protocol': '1.16.1' },
};

export const pgNotice = explainOff(pgFeature);

/** The fields by which pg's Result makes rows: private, except `fields`. */
interface Columns {
  readonly fields: readonly unknown[];
  readonly _parsers: readonly unknown[] | undefined;
  readonly _prebuiltEmptyResultObject: object | null;
}

interface PgResult<Row> extends Columns {
  readonly rows: Row[];
}

/** The method by which pg's Connection asks for the columns of a statement. */
interface PgConnection {
  describe: (message: object) => void;
}

type Answered<Row> = (error: Error | null, result: PgResult<Row>) => void;

/** The members of pg's Query that are used here, most of them private. */
interface PgQuery<Row> {
  name: string | undefined;
  text: string;
  values: readonly unknown[] | undefined;
  callback: Answered<Row> | undefined;
  _result: PgResult<Row> | undefined;
  _results: PgResult<Row> | undefined;
  _accumulateRows: boolean;
  prepare(connection: PgConnection): void;
  handleRowDescription(message: object): void;
  submit(connection: pg.Connection): void;
}

const PgQuery = pg.Query as unknown as new <Row>(
  text: string,
  values: readonly unknown[],
  callback: Answered<Row>,
) => PgQuery<Row>;

/** A statement that a connection prepares when it is first asked. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** Known since the first answer. As long as a statement is prepared, Postgres does not let them change. */
  columns?: Columns;
}

/**
 * One query of a prepared statement. pg asks for the columns with each query and builds them for each answer, which was half
 * the cost of reading an answer; here they are asked for once.
 */
export class PreparedQuery<Row> extends PgQuery<Row> {
  constructor(
    private readonly statement: PreparedStatement,
    values: readonly unknown[],
    callback: Answered<Row>,
  ) {
    // A text, since pg copies an object with the descriptors of all its properties.
    super(statement.text, values, callback);
    this.name = statement.name;
  }

  override prepare(connection: PgConnection): void {
    const { columns } = this.statement;
    if (!columns) return super.prepare(connection);
    Object.assign(this._result!, columns);
    this._accumulateRows = true;
    const { describe } = connection;
    connection.describe = askNothing;
    try {
      super.prepare(connection);
    } finally {
      connection.describe = describe;
    }
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result!;
    this.statement.columns = { fields, _parsers, _prebuiltEmptyResultObject };
  }

  /**
   * Clears the question and the answer of a query that has its answer. V8 often moves such a query to its old
   * generation, where it stays until the next full collection: with all that, this was the larger part of what a run
   * left there. 5 % more runs a second.
   */
  empty(): void {
    this.text = '';
    this.values = undefined;
    this.callback = undefined;
    this._result = undefined;
    this._results = undefined;
  }
}

/** The socket that a client writes to; under TLS that of the TLS. */
export function streamOf(client: pg.Client): Pick<Socket, 'cork' | 'uncork'> {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function askNothing(): void {
  // The columns are known.
}
