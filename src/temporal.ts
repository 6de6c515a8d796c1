import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import { WaybillError } from './errors.js';

/**
 * Temporal's own environment configuration decides where it is: `TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`,
 * `TEMPORAL_API_KEY`, TLS paths, or a profile in `temporal.toml`.
 */
export async function connectClient(): Promise<{
  client: Client;
  namespace: string;
  close: () => Promise<void>;
}> {
  const config = loadClientConnectConfig();
  const namespace = config.namespace ?? 'default';
  const connection = await reached(() =>
    Connection.connect({ ...config.connectionOptions, connectTimeout: '5s' }),
  );
  return { client: new Client({ connection, namespace }), namespace, close: () => connection.close() };
}

/** The connection a worker polls on. */
export async function connectWorker(): Promise<{ connection: NativeConnection; namespace: string }> {
  const config = loadClientConnectConfig();
  const connection = await reached(() => NativeConnection.connect(config.connectionOptions));
  return { connection, namespace: config.namespace ?? 'default' };
}

async function reached<T>(connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    throw new WaybillError('temporal_unavailable', 'Temporal did not answer; is TEMPORAL_ADDRESS right?', {
      cause: error,
    });
  }
}
