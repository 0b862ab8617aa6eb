import type { Plugin } from 'esbuild';

export function ourWidths(): Plugin;
export function lateSegmenter(): Plugin;
