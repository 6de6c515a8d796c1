/**
 * `node sdk-download.mjs cli|test-server <folder> <version>`: lets Temporal's SDK download the program into the
 * folder. The SDK knows no mere download: it starts the program too, and we stop it. A process of its own, since the
 * SDK offers no way to give up, and installs a runtime with signal handlers.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [kind, downloadDir, version] = process.argv.slice(2);
const server = { executable: { type: 'cached-download', downloadDir, version } };
const environment =
  kind === 'cli'
    ? await TestWorkflowEnvironment.createLocal({ server })
    : await TestWorkflowEnvironment.createTimeSkipping({ server });
await environment.teardown();
