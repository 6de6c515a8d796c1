import http from 'node:http';

/** One call to the control endpoint of a process here; waits for the answer as long as that takes. */
export function call<Answer>(
  port: number,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        path: `/${path}`,
        method: 'POST',
        agent: false,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(JSON.parse(text) as Answer);
          else reject(new Error(`${response.statusCode} to /${path}: ${text}`));
        });
      },
    );
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
