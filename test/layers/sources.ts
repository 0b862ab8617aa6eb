import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';
import { reportClient } from '../../scripts/report-client.mjs';
import { ourWidths } from '../../scripts/widths.mjs';

/**
 * The sources as JavaScript, a file each, which Node itself loads. Loaded by Vitest they would be transformed one by
 * one, some 1,500 in each new clone, and take three times as long in each worker.
 */

// Vitest leaves to Node what lies below a `node_modules`; the one of the packages may be shared with another checkout.
const folder = resolve('build', 'node_modules', 'docs-sources');
const sources = resolve('src');

/** Makes them; a file that is as it was is left alone, so that two runs at once do not disturb each other. */
export async function makeSources(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ['src/**/*.ts', 'src/**/*.json'],
    outdir: join(folder, 'src'),
    outbase: 'src',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    sourcemap: 'linked',
    logLevel: 'warning',
    logOverride: { 'unsupported-require-call': 'silent' },
  });
  // What the build puts beside the program.
  const client = JSON.stringify(await reportClient());
  keep('src/reports/client-code.js', `export const clientCode = async () => (${client});\n`);
  // Files of JSON are modules here, as in the build: Node 20 warns of others.
  for (const { path, text } of outputFiles)
    if (!path.endsWith('/src/reports/client-code.js'))
      keep(path, text.replaceAll(/from "(\.[^"]+)\.json" with \{[^}]*\}/g, 'from "$1.js"'));
  keep('package.json', '{"type":"module"}\n');
  keep('node_modules/cli-table3/package.json', '{"type":"module","main":"index.js"}\n');
  keep('node_modules/cli-table3/index.js', await tableOfTheBuild());
  for (const name of ['docs', 'SECURITY.md']) link(name);
}

/** Packages are loaded as Node does; this one is bundled, as in the build, to measure as docs does. */
async function tableOfTheBuild(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "export { default } from 'cli-table3'", resolveDir: process.cwd() },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [ourWidths()],
  });
  return outputFiles[0]?.text ?? '';
}

function keep(name: string, text: string): void {
  const path = resolve(folder, name);
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  writeFileSync(path, text);
}

function link(name: string): void {
  try {
    symlinkSync(resolve(name), join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Tests that put another module in the place of one: what they import is loaded by Vitest, as all is for coverage. */
const replacing = ['test/api/schema-kinds.long.test.ts', 'test/binary.test.ts'].map((path) => resolve(path));
const isByVitest =
  !process.argv.includes('run') || process.argv.some((word) => word.startsWith('--coverage'));

/** A test that imports a file of the sources has the one that Node loads. */
export const fromSources: Plugin = {
  name: 'from-sources',
  enforce: 'pre',
  resolveId(id, importer = '') {
    if (id === 'cli-table3') return join(folder, 'node_modules/cli-table3/index.js');
    const path = resolve(dirname(importer), id);
    if (!id.startsWith('.') || !path.startsWith(`${sources}/`) || !path.endsWith('.js')) return;
    const isMade = path.endsWith('/reports/client-code.js');
    if (!isMade && (isByVitest || replacing.includes(importer) || importer.startsWith(`${sources}/`))) return;
    return join(folder, 'src', path.slice(sources.length + 1));
  },
};
