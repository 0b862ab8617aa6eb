import type { HeatPart, PagePart } from '../document/document.js';

/**
 * What a page holds beside its head. The bytes of the page are: the length of the JSON of this (32 bits, the lowest
 * byte first), the JSON, then for each heat map in order its cells, the low bytes of `why` and the high ones, all
 * deflated. High bytes of their own are mostly zero and cost next to nothing.
 */
export interface Packed {
  parts: readonly PackedPart[];
  /** When the page was made, in milliseconds since the epoch: ages are counted from it. */
  madeAt: number;
}

export type PackedPart = Exclude<PagePart, HeatPart> | PackedHeat;
export type PackedHeat = Omit<HeatPart, 'cells' | 'why'>;
