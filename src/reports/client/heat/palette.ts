import type { HeatPart } from '../../../document/document.js';

/** Colours of a canvas, which style sheets do not reach. */
export interface Palette {
  ground: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  bad: string;
  /** Of the first level, which is none. */
  nothing: string;
  /** Of levels that are no values. */
  aside: readonly string[];
  /** From the weakest level to the strongest. */
  ramp: readonly string[];
}

const light: Palette = {
  ground: '#ffffff',
  ink: '#1b1b1f',
  soft: '#55565e',
  line: '#d9dae0',
  accent: '#1d4fd7',
  bad: '#b3261e',
  nothing: '#f1f2f4',
  aside: ['#cfcfd4', '#e3d3a4'],
  ramp: ['#d3e4f9', '#a3c8f2', '#6aa6e6', '#2f7fd3', '#1557a3', '#0a2f66'],
};
const dark: Palette = {
  ground: '#141417',
  ink: '#e7e7ea',
  soft: '#a6a7b0',
  line: '#3a3b43',
  accent: '#8db2ff',
  bad: '#ff8a80',
  nothing: '#202126',
  aside: ['#4a4b53', '#6b5a25'],
  ramp: ['#18385c', '#1f5490', '#2f74bd', '#5599dd', '#8bbef2', '#d3e8fd'],
};

const darkness = window.matchMedia('(prefers-color-scheme: dark)');
let isPrinting = false;

/** The colours of the moment. Paper is white. */
export function palette(): Palette {
  return darkness.matches && !isPrinting ? dark : light;
}

/** The colour of a level: the first has none, those aside have their own, and the rest share the shades. */
export function colourOf(
  level: number,
  { levels, aside = 0 }: Pick<HeatPart, 'levels' | 'aside'>,
  { nothing, aside: others, ramp }: Palette,
): string {
  if (level === 0) return nothing;
  if (level <= aside) return others[(level - 1) % others.length] ?? nothing;
  const last = levels.length - aside - 2;
  const at = last <= 0 ? ramp.length - 2 : Math.round(((level - aside - 1) * (ramp.length - 1)) / last);
  return ramp[at] ?? nothing;
}

/** Runs whenever colours change; `printing` is whether what is drawn goes on paper. */
export function onColours(run: (printing: boolean) => void): void {
  darkness.addEventListener('change', () => run(false));
  const print = (printing: boolean) => () => {
    isPrinting = printing;
    run(printing);
  };
  window.addEventListener('beforeprint', print(true));
  window.addEventListener('afterprint', print(false));
}
