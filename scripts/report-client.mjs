// Builds what runs in the pages of reports and of the sandbox: src/reports/client and src/browser/client.
import { build } from 'esbuild';

/**
 * @returns {Promise<{ script: string, sandbox: string, style: string, inputs: string[] }>} minified; `inputs` are the
 * files that they are made of
 */
export async function reportClient() {
  const { outputFiles, metafile } = await build({
    entryPoints: {
      script: 'src/reports/client/main.ts',
      sandbox: 'src/browser/client/main.ts',
      style: 'src/reports/client/style.css',
    },
    // Named after the entries; nothing is written.
    outdir: 'report-client',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    // The page declares UTF-8, but its script shall be the same however somebody saves it.
    charset: 'ascii',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim();
  return {
    script: text('script.js'),
    sandbox: text('sandbox.js'),
    style: text('.css'),
    inputs: Object.keys(metafile.inputs),
  };
}
