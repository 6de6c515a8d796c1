import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { lastWord, type Standing } from '../policy/standing.js';

const DISPOSITION = defineSearchAttributeKey('WaybillDisposition', SearchAttributeType.KEYWORD);
const ROWS_SHOWN = 20;

/** What a person sees of a delivery in Temporal UI: a table of what happened, and the disposition to filter by. */
export interface Page {
  /** A line for each thing that happened, newest last. */
  readonly tell: (what: string) => void;
  /** The standing in one sentence above the table. */
  readonly show: (standing: Standing, untilMs: number | null) => void;
  readonly told: () => readonly string[];
  readonly shown: () => string | null;
}

/**
 * The search attribute is upserted only once a delivery leaves the straight path (each upsert is an event and a
 * write to visibility): one delivered at the first attempt never carries it, and is found by its status.
 */
export function openPage(key: string, told: readonly string[], shown: string | null): Page {
  let rows = [...told];
  let lastShown = shown;
  return {
    tell: (what) => {
      rows = [...rows, `| ${stamp(Date.now())} · | ${what} |`].slice(-ROWS_SHOWN);
    },
    show: (standing, untilMs) => {
      const until = untilMs === null ? '' : ` until ${stamp(untilMs)}`;
      const why = standing.reason === null || standing.reason === 'not_due' ? '' : ` (${standing.reason})`;
      // Under its subscriber's pause an obligation is held, although its own row doesn't move.
      const disposition = standing.is === 'held' ? 'held' : standing.disposition;
      setCurrentDetails(
        [
          `**${key}** is **${disposition}**${why}${until}, ${standing.attempts} attempts`,
          '',
          '| when (UTC) | what |',
          '|---|---|',
          ...rows,
        ].join('\n'),
      );
      const straight = lastShown === null && ['pending', 'attempting', 'delivered'].includes(disposition);
      if (!straight && disposition !== lastShown && disposition !== 'attempting') {
        lastShown = disposition;
        upsertSearchAttributes([{ key: DISPOSITION, value: disposition }]);
      }
    },
    told: () => rows,
    shown: () => lastShown,
  };
}

/** `attempt 3: 503` */
export const attemptWord = (s: Standing): string => `attempt ${s.attempts}: ${lastWord(s)}`;

/** `2026-11-30 14:05:09Z` */
export function stamp(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;
}
