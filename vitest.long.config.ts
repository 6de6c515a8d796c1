import { defineConfig } from 'vitest/config';
import suite from './vitest.config.js';

export default defineConfig({
  test: { ...suite.test, include: ['test/**/*.long.test.ts'], exclude: ['**/node_modules/**'] },
});
