/** The content of a file. One that is a stream is sent once: a request with it is not tried again. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>;
