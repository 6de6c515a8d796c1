import { ERRORS, type ErrorCode } from './contract.js';

/**
 * An error a caller can act on: `code` is from the closed list in contract.ts (docs/errors.md explains each),
 * `field` names the input at fault where there is one. Its message never holds a payload, a secret or the path
 * of a URL.
 */
export class WaybillError extends Error {
  override readonly name = 'WaybillError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly exitCode: number;

  constructor(code: ErrorCode, detail?: string, options: { field?: string; cause?: unknown } = {}) {
    super(detail ?? ERRORS[code].meaning, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.field = options.field;
    this.exitCode = ERRORS[code].exit;
  }

  toJSON(): { code: ErrorCode; message: string; field?: string } {
    return {
      code: this.code,
      message: this.message,
      ...(this.field === undefined ? {} : { field: this.field }),
    };
  }
}

export const invalid = (field: string, why: string): WaybillError =>
  new WaybillError('invalid_field', `${field}: ${why}`, { field });

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);
