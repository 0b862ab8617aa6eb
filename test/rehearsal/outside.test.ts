import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { refuseOutside } from '../../src/cli/run/rehearsal.js';
import type { Rehearsal } from '../../src/settings/rehearsal.js';
import { readSettings } from '../../src/settings/settings.js';
import { fakeIo } from '../fake-io.js';

/** In a rehearsal nothing but the copy is reached, whoever names another address. */

const copy: Rehearsal = {
  ...{ version: 1, url: 'http://127.0.0.1:4000', token: 'sbx_x', origin: 'https://real.example' },
  ...{ profile: 'work', organization: { id: 'o1', title: 'Acme' } },
};

function settingsWith(address: string) {
  const home = mkdtempSync(join(tmpdir(), 'docs-rehearsed-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return readSettings(fakeIo({ env: { HOME: home, DOCS_BASE_URL: address } }), {});
}

it('takes the address of the copy, from a variable and from a flag', () => {
  const settings = settingsWith(copy.url);
  expect(() => refuseOutside(copy, settings, {})).not.toThrow();
  expect(() => refuseOutside(copy, settings, { baseUrl: copy.url, profile: 'work' })).not.toThrow();
});

it.each(['https://docs.example', 'http://127.0.0.1:4001'])('refuses %s', (address) => {
  const refused = expect.objectContaining({ code: 'outside_rehearsal', exitCode: 14 });
  expect(() => refuseOutside(copy, settingsWith(address), {})).toThrow(refused);
  const flagged = expect.objectContaining({ code: 'outside_rehearsal', exitCode: 2 });
  const settings = settingsWith(copy.url);
  expect(() => refuseOutside(copy, settings, { baseUrl: address })).toThrow(flagged);
});
