import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { lateSegmenter, ourWidths } from '../../scripts/widths.mjs';

/** What makes no use of the tables of Unicode does not wait for them. */

it('measures ordinary text without a segmenter, in the program as it is built', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "import { cut, widthOf } from './src/output/text-width.ts'; globalThis.text = { cut, widthOf };",
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'node',
    target: 'node20.18',
    plugins: [ourWidths(), lateSegmenter()],
  });
  let made = 0;
  class Segmenter extends Intl.Segmenter {
    constructor() {
      super();
      made += 1;
    }
  }
  const context: { text?: { widthOf(text: string): number; cut(text: string, columns: number): string } } =
    {};
  runInNewContext(outputFiles[0]?.text ?? '', Object.assign(context, { Intl: { Segmenter } }));
  const { text } = context;
  expect(['plain', 'Größe', '日本'].map((one) => text?.widthOf(one))).toEqual([5, 5, 4]);
  expect([text?.cut('a plain line', 7), made]).toEqual(['a plai…', 0]);
  expect([text?.widthOf('👩‍👩‍👧 x'), text?.cut('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5), made]).toEqual([
    4,
    '👩‍👩‍👧👩‍👩‍👧…',
    2,
  ]);
});
