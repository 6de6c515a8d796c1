/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** True for what is only told: it is never a reason to fail. */
  readonly info?: true;
  readonly found: string;
  /** How to mend it; on a check that is ok, advice. */
  readonly mend?: string;
}

/** What a check says when it couldn't be made. */
export const failed = (name: string, error: unknown, mend: string): Check => ({
  name,
  ok: false,
  found: reasonOf(error),
  mend,
});

export const notChecked = (name: string, missing: string): Check => ({
  name,
  ok: false,
  found: `not checked: needs ${missing}`,
  mend: `mend ${missing} first`,
});

/** The innermost cause, since that is the one that says what to do. Never a connection string. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0]);
  if (error.cause instanceof Error) return `${error.message} ${reasonOf(error.cause)}`;
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}
