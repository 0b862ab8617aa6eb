import type { HeatModel } from './model.js';
import { colourOf, palette } from './palette.js';

/** Width and height of a cell, in pixels. */
export const cell = 18;

/** Positions of a row and a column among those shown. */
export interface Place {
  row: number;
  column: number;
}

/** What is in sight, in pixels of the whole map. */
export interface Sight {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Width of the labels of rows. */
  labels: number;
  /** Height of the labels of columns. */
  head: number;
}

const font = '12px system-ui, sans-serif';
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Pixels that the longest of some labels takes, between limits. */
export function spaceFor(labels: readonly { label: string }[], least: number, most: number): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return most;
  context.font = `600 ${font}`;
  let space = least;
  for (const { label } of labels) {
    // Measured only where it may be longer: there may be thousands.
    if (label.length * 11 + 16 <= space) continue;
    space = Math.max(space, Math.ceil(context.measureText(label.slice(0, 60)).width) + 16);
    if (space >= most) return most;
  }
  return space;
}

/** Draws the part of a map that is in sight. */
export function paint(
  canvas: HTMLCanvasElement,
  model: HeatModel,
  sight: Sight,
  marked: Place | undefined,
): void {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(sight.width * scale);
  canvas.height = Math.round(sight.height * scale);
  canvas.style.width = `${sight.width}px`;
  canvas.style.height = `${sight.height}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  context.font = font;
  context.textBaseline = 'middle';
  context.fillStyle = palette().ground;
  context.fillRect(0, 0, sight.width, sight.height);
  const range = rangeOf(model, sight);
  paintCells(context, model, sight, range);
  paintMark(context, sight, marked);
  paintRowLabels(context, model, sight, range, marked);
  paintColumnLabels(context, model, sight, range, marked);
  context.fillStyle = palette().ground;
  context.fillRect(0, 0, sight.labels, sight.head);
}

interface Range {
  rows: [from: number, to: number];
  columns: [from: number, to: number];
}

function rangeOf(model: HeatModel, { left, top, width, height, labels, head }: Sight): Range {
  const last = (start: number, space: number, count: number) =>
    Math.min(count, Math.ceil((start + space) / cell));
  return {
    rows: [Math.floor(top / cell), last(top, height - head, model.rows.length)],
    columns: [Math.floor(left / cell), last(left, width - labels, model.columns.length)],
  };
}

function paintCells(context: CanvasRenderingContext2D, model: HeatModel, sight: Sight, range: Range): void {
  const colours = palette();
  for (let row = range.rows[0]; row < range.rows[1]; row += 1) {
    for (let column = range.columns[0]; column < range.columns[1]; column += 1) {
      const level = model.level(model.rows[row] ?? 0, model.columns[column] ?? 0);
      context.fillStyle = colourOf(level, model.part, colours);
      const { x, y } = cornerOf({ row, column }, sight);
      context.fillRect(x, y, cell - 1, cell - 1);
    }
  }
}

function paintMark(context: CanvasRenderingContext2D, sight: Sight, marked: Place | undefined): void {
  if (marked === undefined) return;
  const { x, y } = cornerOf(marked, sight);
  context.strokeStyle = palette().ink;
  context.lineWidth = 2;
  context.strokeRect(x - 1, y - 1, cell + 1, cell + 1);
}

function paintRowLabels(
  context: CanvasRenderingContext2D,
  model: HeatModel,
  sight: Sight,
  { rows: [from, to] }: Range,
  marked: Place | undefined,
): void {
  const colours = palette();
  context.fillStyle = colours.ground;
  context.fillRect(0, sight.head, sight.labels, sight.height - sight.head);
  for (let row = from; row < to; row += 1) {
    const { y } = cornerOf({ row, column: 0 }, sight);
    const label = model.part.rows[model.rows[row] ?? 0]?.label ?? '';
    write(context, label, { x: 2, y: y + cell / 2, most: sight.labels - 10, strong: marked?.row === row });
  }
}

function paintColumnLabels(
  context: CanvasRenderingContext2D,
  model: HeatModel,
  sight: Sight,
  { columns: [from, to] }: Range,
  marked: Place | undefined,
): void {
  context.fillStyle = palette().ground;
  context.fillRect(sight.labels, 0, sight.width - sight.labels, sight.head);
  for (let column = from; column < to; column += 1) {
    const { x } = cornerOf({ row: 0, column }, sight);
    const label = model.part.columns[model.columns[column] ?? 0]?.label ?? '';
    context.save();
    context.translate(x + cell / 2, sight.head - 6);
    context.rotate(-Math.PI / 2);
    write(context, label, { x: 0, y: 0, most: sight.head - 12, strong: marked?.column === column });
    context.restore();
  }
}

/** The corner of a cell on the canvas. */
export function cornerOf(
  { row, column }: Place,
  { left, top, labels, head }: Sight,
): { x: number; y: number } {
  return { x: labels + column * cell - left, y: head + row * cell - top };
}

interface Placed {
  x: number;
  y: number;
  /** Pixels that the text may take. */
  most: number;
  strong: boolean;
}

function write(context: CanvasRenderingContext2D, text: string, { x, y, most, strong }: Placed): void {
  const colours = palette();
  context.fillStyle = strong ? colours.ink : colours.soft;
  context.font = strong ? `600 ${font}` : font;
  context.direction = rightToLeft.test(text) ? 'rtl' : 'ltr';
  context.textAlign = 'left';
  context.fillText(fitted(context, text, most), x, y);
}

/** The text, cut so that it is narrow enough. */
function fitted(context: CanvasRenderingContext2D, text: string, most: number): string {
  const line = text.slice(0, 60);
  if (line === text && context.measureText(line).width <= most) return text;
  let kept = Array.from(line);
  while (kept.length > 0 && context.measureText(`${kept.join('')}…`).width > most) kept = kept.slice(0, -1);
  return `${kept.join('').trimEnd()}…`;
}
