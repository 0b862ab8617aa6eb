import type { Group } from '../../cli/declare/command.js';
import { exec, start, status, stop } from './server.js';
import { clock, exportData, fault, requests, reset, seed } from './state.js';

export const sandbox: Group = {
  name: 'sandbox',
  noun: 'sandbox',
  summary: 'The platform on your own machine',
  why:
    'A small copy of the platform, with data of its own that is kept between commands. ' +
    'docs --sandbox <command> uses it at once; nothing needs to be started.',
  commands: [start, stop, status, seed, reset, exportData, clock, fault, requests, exec],
};
