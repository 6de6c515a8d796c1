/** What the workflow bundle holds; the names are Temporal's workflow types (contract.ts, WORKFLOWS). */
export { event } from './event.js';
export { obligation } from './obligation.js';
export { reconcile } from './reconcile.js';
