import { type Palette, plain } from '../../src/output/colors.js';

export const colourless: Palette = { good: plain, bad: plain, warn: plain, strong: plain, quiet: plain };
