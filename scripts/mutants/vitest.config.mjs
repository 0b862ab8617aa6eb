/** For the copy alone: as in the checkout, with the mutants, and with the files in the order that the sample asks for. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import config from './vitest.config.ts';

const order = process.env.SAMPLE_ORDER ? JSON.parse(readFileSync(process.env.SAMPLE_ORDER, 'utf8')) : [];

class AsAsked extends BaseSequencer {
  async sort(files) {
    const place = ({ moduleId }) => order.indexOf(relative(process.cwd(), moduleId));
    return [...files].sort((a, b) => place(a) - place(b));
  }
}

const { test } = config;
test.sequence = { sequencer: AsAsked };
test.reporters = [];
test.experimental = { fsModuleCache: true, fsModuleCachePath: '.compiled' };
for (const project of test.projects) {
  project.test.setupFiles = ['./sample-setup.mjs', ...(project.test.setupFiles ?? [])];
  // What a module makes as it is loaded is made anew for each file.
  project.test.isolate = process.env.SAMPLE_ISOLATED !== undefined;
}

export default config;
