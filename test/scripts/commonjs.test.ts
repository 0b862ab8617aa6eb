import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { withBuiltins } from '../../scripts/commonjs.mjs';

/** What a file of the launcher exports, as `npm run build` turns it into CommonJS. */
function exportsOf(text: string): { code: string; exported: unknown } {
  const options = { format: 'cjs', platform: 'node', minifyWhitespace: true, minifySyntax: true } as const;
  const code = withBuiltins(transformSync(text, options).code);
  const module = { exports: {} as { found?: unknown } };
  const modules: Record<string, unknown> = { 'node:path': { join: () => 'joined', sep: '/' } };
  new Function('module', 'require', code)(module, (name: string) => modules[name]);
  return { code, exported: module.exports.found };
}

test.each([
  ['its default export', "import path from 'node:path'; export const found = path.join() + path.sep;"],
  ['names of it', "import { join, sep } from 'node:path'; export const found = join() + sep;"],
  ['both', "import path, { join } from 'node:path'; export const found = join() + path.sep;"],
  ['all of it', "import * as path from 'node:path'; export const found = path.join() + path.sep;"],
])('a file of the launcher can use %s of a module of Node', (_, text) => {
  expect(exportsOf(text).exported).toBe('joined/');
});

test('of the default export alone nothing else is copied', () => {
  const { code } = exportsOf("import path from 'node:path'; export const found = path.join();");
  expect(code).toContain('import_node_path={default:require("node:path")}');
});
