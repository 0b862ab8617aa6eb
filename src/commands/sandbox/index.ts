import type { Group } from '../../cli/declare/command.js';
import { exec } from './exec.js';
import { open } from './open.js';
import { publish } from './publish.js';
import { start, status, stop } from './server.js';
import { clock, exportData, fault, requests, reset, seed } from './state.js';

export const sandbox: Group = {
  name: 'sandbox',
  noun: 'sandbox',
  summary: 'Run a local copy of the platform',
  guide: 'sandbox',
  why:
    'A small copy of the platform with data that is kept between commands. docs --sandbox <command> uses ' +
    'it without starting a server.',
  commands: [start, stop, status, open, seed, reset, exportData, clock, publish, fault, requests, exec],
};
