#!/usr/bin/env node
/**
 * The `waybill` command: the sources through tsx in a checkout, the built files in an installed package.
 *
 * CommonJS, since node reads a module's file with the very thread pool whose size is to be set here: in a module it
 * would be too late.
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

// Each name that is being resolved holds a thread, and node's usual 4 are soon held by names that don't answer.
process.env.UV_THREADPOOL_SIZE ||= '64';

async function run() {
  const source = join(__dirname, '../src/cli.ts');
  if (!existsSync(source)) return import(pathToFileURL(join(__dirname, '../dist/cli.js')).href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(pathToFileURL(source).href);
}

void run();
