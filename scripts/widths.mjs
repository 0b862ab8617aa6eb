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
