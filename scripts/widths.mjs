import { readFileSync } from 'node:fs';

/** Makes cli-table3, which brings an old string-width, measure text as docs does. A plugin for esbuild. */
export function ourWidths() {
  const namespace = 'our-widths';
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^string-width$/ }, ({ importer }) =>
        /[\\/]node_modules[\\/]cli-table3[\\/]/.test(importer)
          ? { path: 'string-width', namespace }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace }, () => ({
        contents: "module.exports = require('./src/output/text-width.ts').widthOf;",
        resolveDir: process.cwd(),
      }));
    },
  };
}

/**
 * Lets string-width make its segmenter at first use: the first of a process loads the tables of Unicode, some
 * 10 ms, and most texts are measured without it. A plugin for esbuild.
 */
export function lateSegmenter() {
  const eager = 'const segmenter = new Intl.Segmenter();';
  const late =
    'let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };';
  return {
    name: 'late-segmenter',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(eager, late),
        loader: 'js',
      }));
    },
  };
}
