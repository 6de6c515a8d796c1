import pg from 'pg';
import { openLink, type Link } from '../kill/link.js';
import { PROCESSES } from '../kill/plan.js';
import { setStage, type Stage, type StageOptions } from '../kill/stage.js';

/** The stage of a proof by kill, with links of the publisher's and of the receiver's besides. */
export interface Scene {
  readonly stage: Stage;
  /** From Waybill's workers to the receiver. */
  readonly toReceiver: Link;
  /** From the publisher to Postgres. */
  readonly publisher: Link;
  /** Every link to it that there is. */
  readonly toPostgres: readonly Link[];
  readonly toTemporal: readonly Link[];
  /** The environment of the publisher, which is on a link. */
  readonly publisherEnv: Readonly<Record<string, string>>;
  /** One statement of the superuser's, past the links, in the maintenance database. */
  asSuperuser<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]>;
  stop(): Promise<void>;
}

export async function setScene(options: StageOptions): Promise<Scene> {
  const stage = await setStage(options);
  const links: Link[] = [];
  const open = async (port: number): Promise<Link> => {
    const link = await openLink(port);
    links.push(link);
    return link;
  };
  const stop = async (): Promise<void> => {
    await stage.stop();
    await Promise.all(links.map((link) => link.close()));
  };
  try {
    const toReceiver = await open(stage.receiverPort);
    const publisher = await open(Number(new URL(stage.stack.appUrl).port));
    const url = new URL(stage.stack.appUrl);
    url.port = String(publisher.port);
    return {
      ...{ stage, toReceiver, publisher, stop },
      toPostgres: [...PROCESSES.map((name) => stage.links[name].Postgres), publisher],
      toTemporal: PROCESSES.map((name) => stage.links[name].Temporal),
      publisherEnv: { ...stage.env, WAYBILL_DATABASE_URL: url.href },
      asSuperuser: (sql, values) => withClient(maintenance(stage), (client) => rowsOf(client, sql, values)),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs `use` on a connection that nobody else has. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined); // the statement that runs rejects with it
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function rowsOf<R extends pg.QueryResultRow>(
  client: pg.Client,
  sql: string,
  values: unknown[] = [],
): Promise<R[]> {
  return (await client.query<R>(sql, values)).rows;
}

function maintenance(stage: Stage): string {
  const url = new URL(stage.stack.adminUrl);
  url.pathname = '/postgres';
  return url.href;
}
