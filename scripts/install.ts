/**
 * `node scripts/run.mjs scripts/install.ts`: has `run.mjs` install the packages, and says so. For CI and for steps
 * such as `npm run check` that use the packages without going through `run.mjs`.
 */
process.stderr.write('waybill: the packages of package-lock.json are installed\n');
