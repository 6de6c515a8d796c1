import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { WaybillError, invalid } from '../errors.js';
import { UsageError } from './faults.js';

/** `-` is stdin. Errors of the stream surface where it is read; see {@link readable}. */
export const openSource = (file: string): Readable => (file === '-' ? process.stdin : createReadStream(file));

/** Turns "cannot read this file" into a usage error that names it; other errors pass. */
export function readable(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code && syscall ? new UsageError(`cannot read '${file}' (${code})`, { cause: error }) : error;
}

/**
 * Every byte of the source.
 * @throws WaybillError `payload_too_large` as soon as it has more than `maxBytes`; the rest is not read.
 */
export async function readBytes(file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of openSource(file) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new WaybillError(
          'payload_too_large',
          `payload: more than ${maxBytes} bytes, which is the limit`,
          {
            field: 'payload',
          },
        );
      }
    }
  } catch (error) {
    throw readable(file, error);
  }
  return Buffer.concat(chunks);
}

const SECRET_FILE_MAX_BYTES = 4_096;

/** The secret a file holds, without the line break at its end. */
export async function readSecret(file: string): Promise<string> {
  const bytes = await readBytes(file, SECRET_FILE_MAX_BYTES).catch((error: unknown) => {
    throw error instanceof WaybillError ? invalid('secret', 'the file holds more than a secret') : error;
  });
  return bytes.toString('utf8').trim();
}

export interface SourceLine {
  /** From 1 on. */
  readonly number: number;
  readonly text: string;
  /** Bytes of the source up to the end of this line. */
  readonly bytesSoFar: number;
}

const LINE_FEED = 0x0a;
const LINE_MAX_BYTES = 1_048_576;

/**
 * The lines of a UTF-8 source. A byte order mark at its start is dropped.
 * @throws WaybillError `invalid_field`, naming the line, for bytes that are no UTF-8 and for endless lines.
 */
export async function* readLines(file: string): AsyncGenerator<SourceLine> {
  let number = 0;
  let bytesSoFar = 0;
  let rest: Buffer = Buffer.alloc(0);
  const line = (bytes: Buffer): SourceLine => ({
    number: ++number,
    text: decoded(bytes, number),
    bytesSoFar,
  });
  try {
    for await (const chunk of openSource(file) as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED, from)) {
        bytesSoFar += at + 1 - from;
        yield line(rest.subarray(from, at));
        from = at + 1;
      }
      rest = rest.subarray(from);
      if (rest.length > LINE_MAX_BYTES)
        throw invalid(`line ${number + 1}`, `is longer than ${LINE_MAX_BYTES} bytes`);
    }
  } catch (error) {
    throw readable(file, error);
  }
  bytesSoFar += rest.length;
  if (rest.length > 0) yield line(rest);
}

function decoded(bytes: Buffer, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: number > 1 }).decode(bytes);
  } catch {
    throw invalid(`line ${number}`, 'is not UTF-8');
  }
}
