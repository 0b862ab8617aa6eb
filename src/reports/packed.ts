import type { HeatPart } from '../document/document.js';

/**
 * The pairs of heat maps, which may be millions: too many for elements. The bytes are: the length of the JSON of this (32 bits,
 * the lowest byte first), the JSON, then for each map in order its cells, the low bytes of `why` and the high ones, all
 * deflated. High bytes of their own are mostly zero and cost next to nothing.
 */
export type PackedHeats = readonly PackedHeat[];
export type HeatAxes = HeatPart['axes'];
export type PackedHeat = Pick<HeatPart, 'axes' | 'rows' | 'columns' | 'levels' | 'aside' | 'reasons'>;
