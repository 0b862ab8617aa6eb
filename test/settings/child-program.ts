import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { DocsError } from '../../src/base/errors.js';
import type { Io } from '../../src/base/io.js';
import { saveProfile } from '../../src/commands/auth.js';
import { readSettings } from '../../src/settings/settings.js';
import { storeCredential } from '../../src/settings/store-credential.js';

/**
 * What the tests run in processes of their own, with a real clock: `save <prefix> <n>` saves n
 * profiles, `login <prefix> <n>` stores n tokens, `read` reads the settings, `signals` saves a profile
 * and prints the signals that then have a listener. A failure is printed as JSON.
 */
const io: Io = {
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: process.env,
  cwd: '/',
  platform: process.platform,
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) => wait(ms, undefined, signal && { signal }),
  signal: new AbortController().signal,
};

const signals = Object.keys(constants.signals);
const [task, prefix = '', count = '1'] = process.argv.slice(2);
const names = Array.from({ length: Number(count) }, (_, index) => `${prefix}${index}`);

try {
  if (task === 'read') readSettings(io, {});
  for (const name of names) {
    if (task === 'save' || task === 'signals') await saveProfile(io, name, { org: `org_${name}` });
    if (task === 'login')
      await storeCredential(io, { profile: name, baseUrl: 'https://docs.example', token: name });
  }
  const heard = signals.filter((signal) => process.listenerCount(signal) > 0);
  if (task === 'signals') process.stdout.write(JSON.stringify(heard));
} catch (error) {
  if (!(error instanceof DocsError)) throw error;
  process.stdout.write(JSON.stringify(error));
  process.exitCode = error.exitCode;
}
