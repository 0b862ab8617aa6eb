import { Chalk } from 'chalk';
import { type Painter, plain } from '../../output/colors.js';
import type { Action, PlanOperation } from '../plan.js';

/** How a plan looks on a terminal. */

export interface PlanLook {
  /** Width of the window, in columns. */
  columns: number;
  colour: boolean;
  /** Whether every finding and note is shown; otherwise the first 20 that say the same. */
  full?: boolean;
  /** Whether to say who made the plan, when and how: for plans that are read from a file. */
  made?: boolean;
  /** The file that an operation comes from, where there is one: `teams.yaml`. */
  file?(operation: PlanOperation): string | undefined;
}

/** Colours by meaning; where colour is off, each gives its text back. */
export interface Pen extends Readonly<Record<Action, Painter>> {
  heading: Painter;
  quiet: Painter;
  warn: Painter;
  before: Painter;
  after: Painter;
}

/** @param colour whether to colour at all */
export function penOf(colour: boolean): Pen {
  const { bold, dim, red, green, yellow, cyan, magenta } = new Chalk({ level: colour ? 1 : 0 });
  const all = { heading: bold, quiet: dim, warn: yellow, before: red, after: green };
  const byAction = { create: green, update: yellow, move: cyan, link: cyan, delete: red, drift: magenta };
  const pen: Pen = { ...all, ...byAction, verify: cyan, withheld: dim, finding: yellow };
  if (colour) return pen;
  return Object.fromEntries(Object.keys(pen).map((key) => [key, plain])) as unknown as Pen;
}
