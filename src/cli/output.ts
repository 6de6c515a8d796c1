/** What a terminal could take for a command, or a reader for another text: controls, line and bidi marks. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** Of these, the ones that JSON leaves as they are. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (c: string): string => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');

/** The text with everything escaped that could steer a terminal. For every text that comes from data. */
export const printable = (text: string): string => text.replace(UNSAFE, escaped);

/** One line of JSON, pure of terminal controls and still the same value. */
export const toJsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped) + '\n';

/** Writes and waits until the text is taken, so that a slow reader slows us down. */
export function write(text: string, to: NodeJS.WriteStream = process.stdout): Promise<void> {
  return new Promise((resolve, reject) => to.write(text, (error) => (error ? reject(error) : resolve())));
}

export const writeJson = (value: unknown): Promise<void> => write(toJsonLine(value));

export const writeLines = (lines: readonly string[]): Promise<void> =>
  write(lines.map((line) => line + '\n').join(''));
