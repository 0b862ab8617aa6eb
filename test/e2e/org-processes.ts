import type { World } from '../organization/generated/world.js';
import { type Running, startProgram } from './job-home.js';

/** `docs` as a process of its own, in the home and the folder of a world. */
export const startIn = (world: World, words: readonly string[], env: Record<string, string> = {}): Running =>
  startProgram(words, { ...world.env, PATH: process.env.PATH ?? '', ...env }, world.folder);
