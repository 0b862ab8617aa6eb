import { bash } from './bash.js';
import { fish } from './fish.js';
import { powershell } from './powershell.js';
import { zsh } from './zsh.js';

/** One script per shell. Each calls `docs __complete` and knows no commands itself. */
export const scripts = { bash, zsh, fish, powershell } as const;

export const shells = Object.keys(scripts) as readonly Shell[];
export type Shell = keyof typeof scripts;
