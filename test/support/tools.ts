/**
 * Whether tests that need a foreign tool are to be skipped: true where it is absent. The name of such a test says what
 * it needs. Where every test has to run (CI), an absent tool is an error instead.
 */
export function isAbsent(tool: unknown, name: string): boolean {
  if (tool !== undefined) return false;
  if (process.env['WAYBILL_REQUIRE_TOOLS'] === '1') {
    throw new Error(`${name} is absent; \`node scripts/run.mjs scripts/test-tools.ts\` gets it`);
  }
  return true;
}
